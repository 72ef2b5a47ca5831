"""The state between two steps: a scenario that grows by the messages of each step, and the board in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ctxcore.agent.manner import Asking, Manner
from ctxcore.agent.react_format import Reading
from ctxcore.agent.tools import Tool
from ctxcore.board import Board, fingerprint
from ctxcore.item import Call
from ctxcore.model.replies import Reply
from ctxcore.reading import pair_calls, read_calls, read_content
from ctxcore.scenario import Record, Scenario
from ctxcore.words import sentence

SAME = 4_000  # characters by which two calls are compared; the board shows fewer


def prepared(scenario: Scenario, tools: Sequence[Tool], manner: Manner, asking: Asking) -> Scenario:
    """The scenario with the tools that there are: as definitions, or described in a system text where the model is
    not asked for native calls. Without management there is no board, so its state is left out."""
    changes: dict[str, Any] = {} if manner.keeps_board else {"state": None}
    if asking.speech == "calls":
        return scenario.edited(**changes, tools=tuple(tool.definition for tool in tools))
    told = {"role": "system", "content": instructions(tools, asking)}
    leading = next(
        (at for at, m in enumerate(scenario.messages) if m.get("role") not in ("system", "developer")),
        len(scenario.messages),
    )
    messages = (*scenario.messages[:leading], told, *scenario.messages[leading:])
    return scenario.edited(**changes, tools=(), messages=messages)


def instructions(tools: Sequence[Tool], asking: Asking) -> str:
    """What a model without native calls must know: the tools, and how it has to write."""
    names = "\n".join(f"- {tool.name}: {tool.description} ({tool.argument})" for tool in tools)
    return sentence(
        f"agent-speak-{asking.speech}", {"tools": names, "names": ", ".join(tool.name for tool in tools)}, asking.lang
    )


def with_call(scenario: Scenario, thought: str, call: Call, observation: str) -> Scenario:
    """The call and its result, as a pair."""
    made = {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
    asked = {"role": "assistant", "content": thought, "tool_calls": [made]}
    return with_messages(scenario, asked, {"role": "tool", "tool_call_id": call.id, "content": observation})


def with_messages(scenario: Scenario, *messages: Mapping[str, Any]) -> Scenario:
    return scenario.edited(messages=(*scenario.messages, *messages))


def with_board(scenario: Scenario, board: Board) -> Scenario:
    value = {"goal": board.goal, "current": board.current, "todo": list(board.todo), "done": list(board.done)}
    key = scenario.state.id if scenario.state else ""
    return scenario.edited(state=Record(key, json.dumps(value, ensure_ascii=False), extra={"value": value}))


def after_naming(board: Board, sub_task: str) -> Board:
    """The board when the model goes on to another sub-task: the one before it is done."""
    if not sub_task or sub_task == board.current:
        return board
    ended = (
        (board.current,) if board.current and board.current != board.goal and board.current not in board.done else ()
    )
    todo = tuple(one for one in board.todo if one not in (sub_task, board.current))
    return replace(board, current=sub_task, todo=todo, done=(*board.done, *ended))


def after_call(board: Board, mark: str) -> Board:
    return board if mark in board.done else replace(board, done=(*board.done, mark))


def after_answer(board: Board) -> Board:
    done = board.done if not board.current or board.current in board.done else (*board.done, board.current)
    return replace(board, current="", todo=(), done=done)


def same_call(call: Call) -> str:
    """What two calls have in common that ask the same."""
    return fingerprint(call, SAME)


def call_id(scenario: Scenario, given: str) -> str:
    """The model's own id, or one that is not taken yet."""
    taken = {call.id for message in scenario.messages for call in read_calls(message)}
    return given if given and given not in taken else f"call-{len(scenario.messages) + 1:04d}"


def known_calls(scenario: Scenario) -> dict[str, str]:
    """Call → what it answered, of all answered calls of the conversation."""
    known: dict[str, str] = {}
    for at, (asked_at, _) in pair_calls(scenario.messages).items():
        answered = str(scenario.messages[at].get("tool_call_id") or "")
        call = next((c for c in read_calls(scenario.messages[asked_at]) if c.id == answered), None)
        if call:
            known[same_call(call)] = "\n".join(read_content(scenario.messages[at].get("content"))[0])
    return known


def spoken(reading: Reading, reply: Reply) -> str:
    """What of a reply stays in the conversation beside its call: all that it said, or the thought of one that wrote
    the call as text."""
    return reply.text.strip() if reply.calls else reading.thought


def as_lines(reading: Reading, call: Call) -> str:
    """A native call as the lines of a ReAct reply."""
    return f"Thought: {reading.thought}\nAction: {call.name}\nAction Input: {call.arguments}"
