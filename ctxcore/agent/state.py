"""What an agent carries from one step to the next, and when it recalls (article 3, c10)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ctxcore.agent.growth import known_calls
from ctxcore.agent.step import Told
from ctxcore.board import Board, board_of
from ctxcore.scenario import Scenario
from ctxcore.trace import Trace

BOARD_CHARS = 300  # of one entry of the board
EMPTY = Board()
RECALL_ACTION = "recall"  # a tool of this name asks for it


@dataclass(frozen=True, slots=True)
class Known:
    """A call that was made: what identifies it, the step that made it first (0: before this run), what it answered."""

    same: str
    step: int
    observation: str


@dataclass(frozen=True)
class State:
    """`aside` are messages for the next build alone: what was wrong with the last reply."""

    scenario: Scenario
    board: Board = EMPTY
    known: tuple[Known, ...] = ()
    aside: tuple[dict[str, Any], ...] = ()
    recalled_for: str | None = None  # the sub-task that recall last ran for
    recalled_at: int = 0  # and the step
    asked_to_recall: bool = False

    def call(self, same: str) -> Known | None:
        return next((one for one in self.known if one.same == same), None)


def begun(state: State, trace: Trace) -> State:
    """The state with the board and the calls that the conversation brings along."""
    known = tuple(Known(same, 0, said) for same, said in known_calls(state.scenario).items())
    return replace(state, board=board_of(trace.inputs, BOARD_CHARS), known=known)


def recalled(state: State, trace: Trace, number: int) -> tuple[tuple[Told, ...], State]:
    """Whether this step recalled anew, and why: recall depends on the sub-task, so it runs when that changes or when
    an action asks for it; in between it gives what it gave before (`HeldRetriever`)."""
    has_recall = any(snapshot.name == "recall" for snapshot in trace.snapshots)
    if not has_recall or not (trace.scenario.documents or trace.scenario.memory):
        return (), state
    task = state.board.current or trace.final.query
    if task == state.recalled_for and not state.asked_to_recall:
        return (Told("agent-recall-kept", {"step": state.recalled_at}),), state
    rule = "agent-recall-asked" if state.asked_to_recall else "agent-recall-ran"
    after = replace(state, recalled_for=task, recalled_at=number, asked_to_recall=False)
    return (Told(rule, {"task": task}),), after
