"""Reading one message of OpenAI's chat shape: its texts, its media, its calls, and which result answers which call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ctxcore.counting.media import content_text, part_text, read_media
from ctxcore.item import Call, Media

THOUGHTS = ("thinking", "reasoning", "text", "content")  # where providers write a thought


def pair_calls(messages: Sequence[Mapping[str, Any]]) -> dict[int, tuple[int, str]]:
    """Message index of each result → (index of the message that called, name of the tool): the nearest earlier
    unanswered call with that id. A legacy `function` message answers the last open `function_call` of that name."""
    open_calls: dict[str, list[tuple[int, str]]] = {}
    pairs: dict[int, tuple[int, str]] = {}
    for at, message in enumerate(messages):
        for call in read_calls(message):
            open_calls.setdefault(call.id or f"function:{call.name}", []).append((at, call.name))
        role = message.get("role")
        if role in ("tool", "function"):
            key = str(message.get("tool_call_id") or "") if role == "tool" else f"function:{message.get('name')}"
            if open_calls.get(key):
                pairs[at] = open_calls[key].pop()
    return pairs


def read_calls(message: Mapping[str, Any]) -> tuple[Call, ...]:
    """The calls of an assistant message: functions, custom tools and the legacy single `function_call`."""
    out = []
    given = message.get("tool_calls")
    for call in given if isinstance(given, list) else []:
        if isinstance(call, Mapping):
            body = call.get("function") or call.get("custom") or {}
            body = body if isinstance(body, Mapping) else {}
            out.append(
                Call(
                    str(call.get("id") or ""),
                    content_text(body.get("name")),
                    content_text(body.get("arguments", body.get("input"))),
                )
            )
    legacy = message.get("function_call")
    if isinstance(legacy, Mapping):
        out.append(Call("", content_text(legacy.get("name")), content_text(legacy.get("arguments"))))
    return tuple(out)


def read_content(content: Any) -> tuple[list[str], list[tuple[int, Media]]]:
    """Texts of a message's content, and its media with their places in the list of parts."""
    if not isinstance(content, list):
        return ([content_text(content)] if content else []), []
    texts: list[str] = []
    media: list[tuple[int, Media]] = []
    for at, part in enumerate(content):
        found = read_media(part) if isinstance(part, Mapping) else None
        if found:
            media.append((at, found))
        else:
            texts.append(part_text(part) if isinstance(part, Mapping) else content_text(part))
    return texts, media


def is_media(part: Any) -> bool:
    """Whether a part of a message's content is a picture, a sound or a file rather than words."""
    return isinstance(part, Mapping) and read_media(part) is not None


def message_text(message: Mapping[str, Any]) -> str:
    """All the words of a message: its texts, and its calls as `name(arguments)`."""
    texts, _ = read_content(message.get("content"))
    return "\n".join((*texts, *(f"{call.name}({call.arguments})" for call in read_calls(message))))


def thoughts_of(message: Mapping[str, Any]) -> list[str]:
    """What the model thought before it said the message, as far as it can be read: kept with it by whoever recorded it,
    and no part of what it says. An encrypted thought is ""."""
    blocks = message.get("thinking_blocks")
    thoughts = [_thought(block) for block in blocks if isinstance(block, Mapping)] if isinstance(blocks, list) else []
    aside = message.get("reasoning_content")  # DeepSeek, and those who write as it does
    return [*thoughts, aside] if isinstance(aside, str) and aside else thoughts


def _thought(block: Mapping[str, Any]) -> str:
    found = next((block[name] for name in THOUGHTS if isinstance(block.get(name), str)), "")
    summary = block.get("summary")
    parts = summary if isinstance(summary, list) and not found else []
    return found or "\n".join(part_text(part) for part in parts if isinstance(part, Mapping))
