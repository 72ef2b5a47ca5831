"""AutoGen: messages of AgentChat, a model's context, the state of an agent or a team."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.blocks import data_uri, image
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.shapes import has, head, kind, listed, mapping, objects, text
from ctxcore.importing.speech import Message, assistant, call, compact, content, result, text_part

MODEL = {"SystemMessage", "UserMessage", "AssistantMessage", "FunctionExecutionResultMessage"}
CALLED, DONE = "ToolCallRequestEvent", "ToolCallExecutionEvent"
REPEATED = {"ToolCallSummaryMessage": "repetition of a result", "ThoughtEvent": "thought that is not sent"}


def fits(value: Any) -> bool:
    if isinstance(value, Mapping):
        return "llm_context" in value or "agent_states" in value or _are_messages(value.get("messages"))
    return _are_messages(value)


def _are_messages(value: Any) -> bool:
    rows = objects(value)
    return (
        bool(rows)
        and all("role" not in one for one in rows)
        and any(kind(one) in MODEL or has(one, "source", "type", "content") for one in rows)
    )


def find(given: Given) -> Sequence[Found]:
    return [Found(partial(_read, messages, where), says=name) for name, messages, where in _contexts(given.value, "")]


def _contexts(value: Any, where: str) -> list[tuple[str, list[Any], str]]:
    """Every list of messages in a state, with the agent's name."""
    if isinstance(value, list):
        return [("", value, where)]
    state = mapping(value)
    if "llm_context" in state:
        return [("", listed(mapping(state["llm_context"]).get("messages")), f"{where}/llm_context/messages")]
    if "agent_states" in state:
        inner = mapping(state["agent_states"]).items()
        found = [
            (name, messages, place)
            for name, one in inner
            for _, messages, place in _contexts(mapping(one).get("agent_state", one), f"{where}/agent_states/{name}")
        ]
        return [one for one in found if one[1]]
    return [("", listed(state.get("messages")), f"{where}/messages")]


def _read(messages: Sequence[Any], where: str) -> Draft:
    draft = Draft(read=len(messages), records="messages")
    for index, one in enumerate(messages):
        _message(draft, mapping(one), f"{where}/{index}")
    return draft


def _message(draft: Draft, message: Mapping[str, Any], place: str) -> None:
    what, given = kind(message), message.get("content")
    items = [mapping(one) for one in listed(given)]
    if what in REPEATED:
        draft.skip(REPEATED[what])
    elif what == CALLED or (what == "AssistantMessage" and "arguments" in mapping(head(given))):
        words = [text_part(message["thought"])] if text(message.get("thought")) else []
        calls = [call(one.get("id"), one.get("name"), one.get("arguments")) for one in items]
        draft.say(assistant(words, calls), place)
    elif what == DONE or what == "FunctionExecutionResultMessage":
        for one in items:
            words = [text_part(compact(one.get("content") or ""))]
            failed = one.get("is_error") is True
            draft.say(result(one.get("call_id"), words, one.get("name"), is_error=failed), place)
    else:
        draft.say({"role": _role(message), "content": content(_parts(given))}, place)


def _role(message: Mapping[str, Any]) -> str:
    what = kind(message)
    if what == "SystemMessage":
        return "system"
    return "assistant" if what == "AssistantMessage" or text(message.get("source")) not in ("", "user") else "user"


def _parts(given: Any) -> list[Message]:
    out = list[Message]()
    for one in given if isinstance(given, list) else [given]:
        data = mapping(one).get("data") or mapping(one).get("url")
        out.append(
            image(data_uri(data, "image/png")) if text(data) else text_part(compact(one if one is not None else ""))
        )
    return out


AUTOGEN = Format("autogen", "AutoGen messages, or the saved state of an agent or a team", fits, find)
