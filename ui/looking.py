"""What a view needs: the run, the stage looked at, the item picked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from ctxcore.decision import Action, Decision
from ctxcore.item import Item
from ctxcore.running import Snapshot
from ctxcore.trace import Trace
from ui.components import Mount, component_words
from ui.components.prompt_view import ASKED
from ui.why.sought import ask
from ui.words import language
from ui.workspace import state

PICKED = "_picked_item"  # of the session: where one looks, not what one has done


@dataclass(frozen=True)
class Looking:
    trace: Trace
    at: int  # index of the stage
    height: int | None = None  # pixels of a view; None = its own

    @property
    def snapshot(self) -> Snapshot:
        return self.trace.snapshots[self.at]

    @cached_property
    def decided(self) -> Mapping[str, Decision]:
        """Item → what this stage decided about it; moves only where there is nothing stronger."""
        found: dict[str, Decision] = {}
        for decision in self.snapshot.decisions:
            if decision.action is not Action.MOVED or decision.item not in found:
                found[decision.item] = decision
        return found

    @cached_property
    def every_item(self) -> Mapping[str, Item]:
        """All items up to this stage as they last were, in the order in which they appeared."""
        found = {item.id: item for item in self.trace.inputs}
        for snapshot in self.trace.snapshots[: self.at + 1]:
            found |= {item.id: item for item in snapshot.items}
        return found

    @property
    def overhead(self) -> int:
        """Tokens of framing, headings and priming: measured once messages are written, before that what is fixed."""
        if self.snapshot.payload.messages:
            return max(0, self.trace.totals.overhead)
        return max(0, self.trace.budget.fixed - self.trace.totals.tools)

    @property
    def picked(self) -> str | None:
        item = picked_item()
        return item if item in self.every_item else None

    def mount(self, key: str, height: int | None = None) -> Mount:
        return Mount(key, component_words(language()), selected=self.picked, height=self.height or height, on_pick=pick)


def pick(item: str | None) -> None:
    """A part of an item, such as one call of a message, stands for its item; a text that was selected asks why."""
    if item and item.startswith(ASKED):
        ask(item.removeprefix(ASKED))
        return
    st.session_state[PICKED] = (_sources(), item.partition("#")[0]) if item else None


def picked_item() -> str | None:
    """The item that was picked in the scenario that is open."""
    sources, item = st.session_state.get(PICKED) or ((), None)
    return item if sources == _sources() else None


def _sources() -> tuple[str, str]:
    """Which scenario is looked at, edited or not: another one has items of the same names."""
    now = state.workspace()
    return now.scenario, now.imported


Draw = Callable[[Looking], None]
