"""Runs of agents on benchmarks: SWE-agent, mini-swe-agent, tau-bench."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.shapes import has, head, listed, mapping, objects, text
from ctxcore.importing.speech import assistant, call, result, text_part

FENCE = re.compile(r"^```(bash|mswea_bash_command)\s*$", re.MULTILINE)
SPEAKER = re.compile(r"^(user|assistant|tool|system): ", re.MULTILINE)
NO_TOOLS = "the tool definitions are not in the file: their tokens are missing."


def is_swe(value: Any) -> bool:
    if not isinstance(value, Mapping) or not isinstance(value.get("history"), list):
        return False
    return "trajectory" in value or "info" in value or "agent" in mapping(head(value["history"]))


def is_mini(value: Any) -> bool:
    if isinstance(value, list):
        said = [text(one.get("content")) for one in objects(value) if one.get("role") == "assistant"]
        plain = all(one.keys() <= {"role", "content", "extra"} for one in objects(value))
        return bool(said) and plain and any(FENCE.search(words) for words in said)
    info = mapping(mapping(value).get("info"))
    made = "trajectory_format" in mapping(value) or bool(info.keys() & {"mini_version", "config"})
    return has(value, "messages") and made


def is_tau(value: Any) -> bool:
    first = head(value) if isinstance(value, list) else value
    return has(first, "traj") or has(first, "messages_display") or isinstance(mapping(first).get("simulations"), list)


def find_history(given: Given) -> Sequence[Found]:
    return [Found(partial(_plain, given, "history"))]


def find_mini(given: Given) -> Sequence[Found]:
    return [Found(partial(_plain, given, "messages"))]


def _plain(given: Given, field: str) -> Draft:
    """The messages as they stand: what the model saw, with the fields of the agent."""
    whole = isinstance(given.value, Mapping)
    messages = listed(given.value[field]) if whole else given.value
    draft = Draft(read=len(messages), records="messages")
    for index, message in enumerate(messages):
        place = f"/{field}/{index}" if whole else given.place(index)
        if isinstance(message, Mapping) and text(message.get("role")):
            draft.say(dict(message), place)
        else:
            draft.skip("record that is no message")
    if whole:
        model = mapping(mapping(mapping(given.value.get("info")).get("config")).get("model")).get("model_name")
        if text(model):
            draft.settings["model"] = text(model).rpartition("/")[2]
    return draft


def find_tau(given: Given) -> Sequence[Found]:
    runs = given.value if isinstance(given.value, list) else [given.value]
    runs = [one for run in runs for one in (listed(mapping(run).get("simulations")) or [run])]
    return [Found(partial(_tau, mapping(run), given.place(at))) for at, run in enumerate(runs) if mapping(run)]


def _tau(run: Mapping[str, Any], where: str) -> Draft:
    draft = Draft(records="messages")
    if shown := text(run.get("messages_display")):
        return _display(draft, shown, where)
    turns = listed(run.get("traj")) or listed(run.get("messages"))
    draft.read = len(turns)
    for index, turn in enumerate(turns):
        message, place = mapping(turn), f"{where}/traj/{index}"
        if message.get("role") == "tool" and "tool_call_id" not in message:  # tau2: the id is that of the call
            draft.say(result(message.get("id"), [text_part(text(message.get("content")))]), place)
        elif any("arguments" in mapping(one) for one in listed(message.get("tool_calls"))):
            calls = [mapping(one) for one in message["tool_calls"]]
            made = [call(one.get("id"), one.get("name"), one.get("arguments")) for one in calls]
            words = text(message.get("content"))
            draft.say({**assistant([text_part(words)] if words else [], made), "role": message.get("role")}, place)
        elif message.get("role"):
            draft.say(dict(message), place)
        else:
            draft.skip("record that is no message")
    draft.warnings.append(NO_TOOLS)
    return draft


def _display(draft: Draft, shown: str, where: str) -> Draft:
    """A whole dialogue in one text, with the speakers before the lines; calls are not shown in it."""
    pieces = SPEAKER.split(shown)
    turns = list(zip(pieces[1::2], pieces[2::2], strict=True))
    draft.read = len(turns)
    for role, words in turns:
        if words.strip() == "None":
            draft.skip("turn that made a call, which the text does not show")
            continue
        said = {"role": role, "content": words.removesuffix("\n")}
        draft.say(said if role != "tool" else {**said, "name": "unknown"}, where)
    draft.warnings.append(NO_TOOLS)
    return draft


SWE_AGENT = Format("swe-agent", "a trajectory of SWE-agent", is_swe, find_history)
MINI_SWE_AGENT = Format("mini-swe-agent", "a run of mini-swe-agent", is_mini, find_mini)
TAU_BENCH = Format("tau-bench", "runs of tau-bench, or its few-shot dialogues", is_tau, find_tau)
