"""Pin, restore and mute an item, each with what it would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ctxcore.groups import fixed_items
from ctxcore.item import Item
from ctxcore.trace import Trace
from ui.signs import sign_panel
from ui.why.previews import draw_outcome, preview
from ui.words import t
from ui.workspace import state

Verb = tuple[str, str, Mapping[str, Any]]  # its place, the verb, the changes of the workspace

ICONS = {
    "pin": ":material/keep:",
    "unpin": ":material/keep_off:",
    "restore": ":material/settings_backup_restore:",
    "mute": ":material/volume_off:",
    "unmute": ":material/volume_up:",
}


def draw_marks(trace: Trace, item: Item, *, lost: bool) -> None:
    """A button for each mark that can be set or taken back, and beside it the consequences."""
    _draw(trace, _verbs(trace, item, lost), "item")


def draw_mute(trace: Trace, name: str) -> None:
    """For a source's card: the mute alone, in a popover that builds nothing before it is opened."""
    is_muted = name in state.workspace().mutes
    icon, told = ICONS["mute" if is_muted else "unmute"], t(f"mark.{'unmute' if is_muted else 'mute'}")
    with st.container(key=f"sources_mute_{name}", width="content"):
        opened = sign_panel(icon, told, state.key("mutes", name), of=name, type="tertiary", on_change="rerun")
    if opened.open:
        item = next((one for one in trace.inputs if name in (one.id, one.message)), None)
        verbs = _verbs(trace, item, False) if item else []
        with opened:
            _draw(trace, [one for one in verbs if one[0] == "mute"], f"sources_{name}")


def _draw(trace: Trace, verbs: Sequence[Verb], where: str) -> None:
    sizes = sizes_of(trace)
    with st.container(key=f"{where}_marks", gap="xsmall"):
        for place, verb, changes in verbs:
            with st.container(key=f"{where}_{place}", horizontal=True, vertical_alignment="center", gap="small"):
                pressed = st.button(
                    t(f"mark.{verb}"), icon=ICONS[verb], key=f"{where}.{place}", help=t(f"mark.{verb}.help")
                )
                outcome = preview(trace, **changes)
                if outcome:
                    draw_outcome(outcome, sizes)
            if pressed:
                state.put(**changes)
                st.rerun()
        if not verbs:
            st.caption(t("mark.fixed"))


def sizes_of(trace: Trace) -> dict[str, int]:
    """Tokens of each item, as it is in the payload, or else as it came in."""
    return {item.id: item.tokens for item in (*trace.inputs, *trace.final.items)}


def _verbs(trace: Trace, item: Item, lost: bool) -> list[Verb]:
    """Each mark; none for what never leaves anyway."""
    now, key = state.workspace(), item.id
    without = {"pins": tuple(p for p in now.pins if p != key), "mutes": tuple(m for m in now.mutes if m != key)}
    out: list[Verb] = []
    if key in now.pins:
        out.append(("pin", "unpin", {"pins": without["pins"]}))
    elif not item.pinned and not item.parents and key not in _fixed(trace):
        out.append(("pin", "restore" if lost else "pin", {**without, "pins": (*now.pins, key)}))
    if key in now.mutes:
        out.append(("mute", "unmute", {"mutes": without["mutes"]}))
    elif not item.parents and (key in now.pins or key not in _fixed(trace)) and not (lost and key not in now.pins):
        out.append(("mute", "mute", {**without, "mutes": (*now.mutes, key)}))
    return out


def _fixed(trace: Trace) -> set[str]:
    """What no mark can move: system texts, the question, and what shares a group with them."""
    return {item.id for item in fixed_items(trace.snapshots[0].payload)}
