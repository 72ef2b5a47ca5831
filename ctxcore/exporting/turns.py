"""Chat messages as turns that every provider takes: calls that are answered, results right behind them, none empty."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ctxcore.exporting.exported import Losses
from ctxcore.importing.speech import compact, text_part

Part = Mapping[str, Any]
HELD = {"role", "content", "name", "tool_calls", "tool_call_id", "function_call", "refusal", "audio"}
OPENING = "(The conversation begins here.)"  # where a provider wants words of the user, and there are none
EXTRA = {"thinking_blocks", "is_error", "cache_control", "annotations"}  # ours, or of no meaning in a request


@dataclass(frozen=True, slots=True)
class Called:
    id: str
    name: str
    arguments: str
    is_custom: bool = False
    mark: Any = None  # cache control

    def fields(self, losses: Losses, where: str) -> Any:
        """The arguments as an object."""
        if self.is_custom:
            losses.note("a custom call, whose input becomes an object", where)
            return {"input": self.arguments}
        try:
            value = json.loads(self.arguments or "{}")
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, Mapping):
            losses.note("arguments that are no JSON object, written as the text of one", where)
            return {"arguments": self.arguments}
        if compact(value) != self.arguments:
            losses.note("the spacing of arguments, which become an object", where)
        return value


@dataclass(slots=True)
class Turn:
    role: str  # system, developer, user, assistant, tool
    parts: list[Part]
    where: str
    calls: list[Called] = field(default_factory=list)
    key: str = ""  # of a result: the call that it answers
    name: str = ""
    is_error: bool = False
    is_custom: bool = False  # a result of a custom call
    thinking: list[Any] = field(default_factory=list)
    mark: Any = None
    is_text: bool = True  # its content was one text, and no list

    @property
    def text(self) -> str:
        return "\n".join(str(part["text"]) for part in self.parts if isinstance(part.get("text"), str))


def read_turns(messages: Iterable[Mapping[str, Any]], losses: Losses) -> list[Turn]:
    """In order; what no provider takes is mended, and each mending is noted."""
    turns = [_turn(message, f"/messages/{at}", losses) for at, message in enumerate(messages)]
    _name_legacy(turns)
    answered = _pair(turns, losses)
    out = list[Turn]()
    for turn in turns:
        if turn.role == "tool":
            continue
        waiting = turn.calls
        turn.calls = [call for call in waiting if (turn.where, call.id) in answered]
        for call in waiting:
            if (turn.where, call.id) not in answered:
                losses.note("a call that is never answered: left out", turn.where)
        if turn.parts or turn.calls or turn.role not in ("user", "assistant"):
            out.append(turn)
        else:
            losses.note("an empty message: left out", turn.where)
        out += [answered[turn.where, call.id] for call in turn.calls]
    if not any(turn.parts or turn.calls for turn in out):
        losses.note("a payload without a message: one of the user stands there", "/messages")
        return [Turn("user", [text_part(OPENING)], "/messages")]
    return out


def _turn(message: Mapping[str, Any], where: str, losses: Losses) -> Turn:
    if unknown := sorted(message.keys() - HELD - EXTRA):
        losses.note(f"fields of no request ({', '.join(unknown)})", where)
    given = message.get("content")
    parts = _parts(given, where, losses)
    if isinstance(refusal := message.get("refusal"), str) and refusal:
        parts.append({"type": "refusal", "refusal": refusal})
    role = str(message.get("role"))
    return Turn(
        "tool" if role == "function" else role,
        parts,
        where,
        _calls(message),
        key=str(message.get("tool_call_id") or ""),
        name=str(message.get("name") or ""),
        is_error=message.get("is_error") is True,
        thinking=list(message.get("thinking_blocks") or ()),
        mark=message.get("cache_control"),
        is_text=not isinstance(given, list),
    )


def _parts(given: Any, where: str, losses: Losses) -> list[Part]:
    """Parts that say something; a blank text is refused by half of the providers, and says nothing to the others."""
    listed = [text_part(compact(given))] if not isinstance(given, list) and given else given or []
    kept = [part for part in listed if part.get("type") != "text" or str(part.get("text") or "").strip()]
    if len(kept) < len(listed):
        losses.note("a text of blanks only: left out", where)
    return kept


def _calls(message: Mapping[str, Any]) -> list[Called]:
    out = list[Called]()
    for one in message.get("tool_calls") or ():
        custom, body = one.get("custom"), one.get("function") or {}
        mark = one.get("cache_control")
        if isinstance(custom, Mapping):
            out.append(Called(str(one.get("id") or ""), str(custom.get("name")), compact(custom.get("input")), True))
        else:
            name, arguments = str(body.get("name")), compact(body.get("arguments") or "")
            out.append(Called(str(one.get("id") or ""), name, arguments, mark=mark))
    if isinstance(legacy := message.get("function_call"), Mapping):
        out.append(Called("", str(legacy.get("name")), compact(legacy.get("arguments") or "")))
    return out


def _name_legacy(turns: Sequence[Turn]) -> None:
    """Calls without an id get one; the older kind of result answers the last such call of its name."""
    count, open_by_name = 0, dict[str, list[str]]()
    for turn in turns:
        for at, call in enumerate(turn.calls):
            if not call.id:
                count += 1
                turn.calls[at] = Called(f"call-{count}", call.name, call.arguments, call.is_custom, call.mark)
                open_by_name.setdefault(call.name, []).append(f"call-{count}")
        if turn.role == "tool" and not turn.key and (keys := open_by_name.get(turn.name)):
            turn.key = keys.pop()


def _once(turn: Turn, losses: Losses) -> None:
    """Of calls with one id in one message, the first."""
    by_id = {call.id: call for call in reversed(turn.calls)}
    if len(by_id) < len(turn.calls):
        losses.note("a call whose id the message has used: left out", turn.where)
        turn.calls = list(by_id.values())[::-1]


def _pair(turns: list[Turn], losses: Losses) -> dict[tuple[str, str], Turn]:
    """The result of each call, by the message that calls; a result without a call becomes words of the user."""
    waiting = dict[str, list[Turn]]()
    answered = dict[tuple[str, str], Turn]()
    caller: Turn | None = None
    for turn in turns:
        if turn.role != "tool":
            caller = turn if turn.role == "assistant" else None
            _once(turn, losses)
            for call in turn.calls:
                waiting.setdefault(call.id, []).append(turn)
            continue
        callers = waiting.get(turn.key)
        if not callers:
            losses.note("a result without a call: written as words of the user", turn.where)
            turn.role, turn.key, turn.name = "user", "", ""
            continue
        asked = callers.pop()
        if asked is not caller:
            losses.note("a result that did not follow its call: moved there", turn.where)
        call = next(call for call in asked.calls if call.id == turn.key)
        turn.name, turn.is_custom = turn.name or call.name, call.is_custom
        answered[asked.where, turn.key] = turn
    return answered
