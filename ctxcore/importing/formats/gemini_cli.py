"""Sessions of the Gemini CLI: one record holds words, calls and their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.blocks import parts_of
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.formats.gemini import said_by
from ctxcore.importing.pairing import Pairing
from ctxcore.importing.shapes import has, head, kind, listed, mapping, objects, text
from ctxcore.importing.speech import assistant, call, compact, content, result, text_part

NOT_SENT = ("info", "warning", "error")


def fits(value: Any) -> bool:
    if isinstance(value, Mapping):
        return has(value, "sessionId", "projectHash", "messages")
    return has(head(value), "sessionId", "projectHash") or any(
        kind(line) == "gemini" and "content" in line for line in objects(value)
    )


def find(given: Given) -> Sequence[Found]:
    return [Found(partial(_read, given))]


def _read(given: Given) -> Draft:
    whole = isinstance(given.value, Mapping)
    records = listed(given.value["messages"]) if whole else given.value
    draft, pairing = Draft(read=len(records), records="records"), Pairing()
    for index, record in enumerate(records):
        place = f"/messages/{index}" if whole else given.place(index)
        _record(draft, pairing, mapping(record), place)
    return draft


def _record(draft: Draft, pairing: Pairing, record: Mapping[str, Any], place: str) -> None:
    what, notes = kind(record), list[str]()
    if what == "user":
        draft.say({"role": "user", "content": content(_words(record, notes))}, place)
    elif what == "gemini":
        _reply(draft, pairing, record, place, notes)
    else:
        draft.skip(f"record of type {what}, which is not sent" if what in NOT_SENT else "record without a message")
    for note in notes:
        draft.note(note, place)


def _words(record: Mapping[str, Any], notes: list[str]) -> list[Any]:
    """Content is a text, or Gemini's parts."""
    given = record.get("content")
    parts = [text_part(one["text"]) if has(one, "text") and kind(one) == "" else one for one in listed(given)]
    return parts_of(parts or given, notes)


def _reply(draft: Draft, pairing: Pairing, record: Mapping[str, Any], place: str, notes: list[str]) -> None:
    made = [mapping(one) for one in listed(record.get("toolCalls"))]
    keys = [pairing.call(text(one.get("name")), text(one.get("id"))) for one in made]
    calls = [call(key, one.get("name"), one.get("args") or {}) for key, one in zip(keys, made, strict=True)]
    thoughts = [{"type": "thought", "text": compact(one)} for one in listed(record.get("thoughts"))]
    parts = _words(record, notes)
    if not parts and not calls:
        draft.skip("empty reply")
        return
    draft.say(assistant(parts, calls, thoughts), place)
    for key, one in zip(keys, made, strict=True):
        answers = [mapping(mapping(part).get("functionResponse")) for part in listed(one.get("result"))]
        said = [text_part(said_by(answer.get("response"))) for answer in answers if answer]
        failed = one.get("status") in ("error", "cancelled")
        draft.say(result(key, said or parts_of(one.get("result"), notes), one.get("name"), is_error=failed), place)
    if model := text(record.get("model")):
        draft.settings["model"] = model


GEMINI_CLI = Format("gemini-cli", "a session of the Gemini CLI (JSON or JSONL)", fits, find)
