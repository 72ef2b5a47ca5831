"""Reading a reply: thought, sub-task, action with its input, or the final answer (article 3, c11).

Three ways of speaking are read: native tool calls, a JSON object, and the lines of the ReAct paper, with English or
Chinese labels. What cannot be read is a FormatError that says which line is wrong and what is wanted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.agent.tools import Tool
from ctxcore.errors import CtxError
from ctxcore.item import Call
from ctxcore.words import Phrase

LABELS = {
    "thought": ("thought", "思考", "想法"),
    "sub_task": ("sub-task", "subtask", "sub task", "子任务", "当前子任务"),
    "action": ("action", "行动", "动作"),
    "action_input": ("action input", "行动输入", "动作输入", "输入"),
    "answer": ("final answer", "answer", "最终答案", "最终回答", "答案"),
    "observation": ("observation", "观察", "观察结果"),
}
FINISH = frozenset(("finish", "final answer", "完成", "结束"))  # actions that mean: the input is the answer

_NAMED = {name: field for field, names in LABELS.items() for name in names}
_LABEL = re.compile(
    rf"\s*[*#>\s]*({'|'.join(sorted(map(re.escape, _NAMED), key=len, reverse=True))})\s*\d*\s*\**\s*[:：]\**\s*(.*)",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\s*([\w-]+)\s*[\[(]\s*(.*?)\s*[\])]\s*", re.DOTALL)
_FENCED = re.compile(r"\s*```(?:json)?\s*(\{.*\})\s*```\s*", re.DOTALL)


class FormatError(CtxError):
    """A reply that cannot be read; the message says which line, and what is wanted."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Either `call` or `answer` is there. `sub_task` is "" where the reply names none."""

    thought: str = ""
    sub_task: str = ""
    call: Call | None = None
    answer: str = ""
    more: int = 0  # calls beyond the first: one step makes one call


def read(text: str, calls: Sequence[Call], tools: Sequence[Tool], *, plain_is_answer: bool) -> Reading:
    """`plain_is_answer`: words without any label are the answer, as a model with native calls means them."""
    if calls:
        said = _sections(text)
        thought = said.get("thought", "" if said else text.strip())
        return Reading(thought, said.get("sub_task", ""), calls[0], more=len(calls) - 1)
    if fields := _object(text):
        return _from_fields(fields, tools, Phrase("reply-object"))
    said = _sections(text)
    if not said and plain_is_answer and text.strip():
        return Reading(answer=text.strip())
    return _from_fields(said, tools, _where(text))


def reply_schema(tools: Iterable[Tool]) -> dict[str, Any]:
    """JSON schema that holds a model to one step; `finish` gives the answer as its input."""
    names = [tool.name for tool in tools]
    text = {"type": "string"}
    return {
        "type": "object",
        "properties": {
            "thought": text,
            "sub_task": text,
            "action": {"type": "string", "enum": [*names, "finish"]},
            "action_input": text,
        },
        "required": [
            "thought",
            "sub_task",
            "action",
            "action_input",
        ],  # all of them: endpoints that are strict ask for it
        "additionalProperties": False,
    }


def _from_fields(said: Mapping[str, str], tools: Sequence[Tool], where: Phrase) -> Reading:
    thought, sub_task, action = (said.get(name, "") for name in ("thought", "sub_task", "action"))
    if action and action.lower() not in FINISH:
        name, given = _named(action, said.get("action_input"))
        if given is None:
            raise FormatError("action-no-input", where=where, name=name)
        return Reading(thought, sub_task, Call("", name, _arguments(name, given, tools)))
    answer = said.get("answer") or (said.get("action_input", "") if action else "")
    if not answer:
        raise FormatError("no-action-no-answer", where=where)
    return Reading(thought, sub_task, answer=answer)


def _sections(text: str) -> dict[str, str]:
    """Label → what stands behind it, over several lines. The first action counts; an observation that the model made
    up ends the reply."""
    found: dict[str, list[str]] = {}
    now: list[str] | None = None
    for line in text.splitlines():
        match = _LABEL.fullmatch(line)
        field = _NAMED[match[1].lower()] if match else ""
        if field == "observation" or (field in ("thought", "action") and field in found and "action" in found):
            break
        if match:
            now = found.setdefault(field, [])
            now.append(match[2])
        elif now is not None:
            now.append(line)
    return {field: "\n".join(lines).strip() for field, lines in found.items()}


def _object(text: str) -> dict[str, str]:
    """The fields of a reply that is a JSON object; {} where it is none."""
    fenced = _FENCED.fullmatch(text)
    try:
        value = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, Mapping):
        return {}
    keys = {str(key).lower().replace("_", " ").replace("sub task", "sub-task"): item for key, item in value.items()}
    return {_NAMED[key]: _text(item) for key, item in keys.items() if key in _NAMED}


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _named(action: str, given: str | None) -> tuple[str, str | None]:
    """Tool and input; also of an action written as `search[query]` or `search(query)`."""
    if given is None and (match := _CALLED.fullmatch(action)):
        return match[1], match[2].strip("\"'“”")
    return action.strip("`*\"' []"), given


def _arguments(name: str, given: str, tools: Sequence[Tool]) -> str:
    """An object is taken as it is; plain text becomes the one argument of the tool."""
    bare = given.strip().strip("`").strip()
    try:
        if isinstance(json.loads(bare), dict):
            return bare
    except (ValueError, RecursionError):
        pass
    tool = next((tool for tool in tools if tool.name == name), None)
    text = bare[1:-1] if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'" else bare
    return tool.arguments(text) if tool else json.dumps({"input": text}, ensure_ascii=False)


def _where(text: str) -> Phrase:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return Phrase("reply-empty")
    return Phrase("reply-line", number=len(text.rstrip().splitlines()), text=lines[-1].strip()[:60])
