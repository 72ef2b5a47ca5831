"""Rollouts of Codex: envelopes around Responses items; a compaction begins anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.responses_items import TYPES, Items
from ctxcore.importing.shapes import has, head, kind, listed, mapping, objects, text
from ctxcore.reading import message_text
from ctxcore.words import Phrase

LINES = {"session_meta", "response_item", "turn_context", "event_msg", "compacted"}
BEGIN = ("<environment_context>", "<user_instructions>", "# AGENTS.md instructions")
Line = tuple[str, Mapping[str, Any]]  # its place, and the line as an envelope


def fits(value: Any) -> bool:
    if has(value, "session", "items"):
        return isinstance(value["items"], list)
    first = mapping(head(value))
    older = has(first, "id", "timestamp") and ("git" in first or "instructions" in first) and "type" not in first
    bare = any("record_type" in line or kind(line) in TYPES | {"message"} for line in objects(value)[1:])
    return (older and bare) or any(kind(line) in LINES and "payload" in line for line in objects(value))


def find(given: Given) -> Sequence[Found]:
    """What the model sees now; where the session was compacted, also all that was said."""
    lines = _envelopes(given)
    now = Found(partial(_read, lines, True), is_default=True, says=Phrase("reading-now"))
    if not any(kind(line) == "compacted" for _, line in lines):
        return [now]
    return [now, Found(partial(_read, lines, False), says=Phrase("reading-all"))]


def _envelopes(given: Given) -> list[Line]:
    """Older files hold bare items behind a first line about the session."""
    value = given.value
    if isinstance(value, Mapping):
        bare = [{"type": "session_meta", "payload": value["session"]}, *listed(value["items"])]
        value = bare
    out = list[Line]()
    for at, one in enumerate(value):
        line = mapping(one)
        if "payload" in line or "record_type" in line:
            out.append((given.place(at), line))
        elif "type" not in line and "role" not in line:
            out.append((given.place(at), {"type": "session_meta", "payload": line}))
        elif kind(line) == "session_meta":
            out.append((given.place(at), line))
        else:
            out.append((given.place(at), {"type": "response_item", "payload": line}))
    return out


def _read(lines: list[Line], is_now: bool) -> Draft:
    draft = Draft(read=len(lines), records="lines")
    reader = Items(draft)
    for place, line in lines:
        payload, what = mapping(line.get("payload")), kind(line)
        if what == "response_item":
            reader.add(payload, place)
        elif what == "compacted" and is_now:
            reader = _compact(draft, payload, place)
        else:
            _session(draft, payload, what, place)
    if not any(message["role"] != "system" for message in draft.messages):
        _events(draft, lines)
    reader.done()
    draft.asides += [one for one in draft.messages if one["role"] == "user" and message_text(one).startswith(BEGIN)]
    return draft


def _compact(draft: Draft, payload: Mapping[str, Any], place: str) -> Items:
    """What comes instead of all before: the history that the line gives, else what the user said, and the summary."""
    leading = next((at for at, one in enumerate(draft.messages) if one["role"] == "user"), len(draft.messages))
    old, places = draft.messages[leading:], draft.places[leading:]
    del draft.messages[leading:], draft.places[leading:]
    draft.warnings.append("compacted: this is what the model sees now. All that was said: --conversation 1.")
    replaced = payload.get("replacement_history")
    reader = Items(draft)
    if isinstance(replaced, list):
        for item in replaced:
            reader.add(item, place)
        reader.done()
        draft.skip("message before the compaction, which the model does not see any more", len(old))
        return Items(draft)
    kept = [(one, where) for one, where in zip(old, places, strict=True) if one["role"] == "user"]
    draft.skip("message before the compaction, which the model does not see any more", len(old) - len(kept))
    for message, where in kept:
        draft.say(message, where)
    draft.aside({"role": "user", "content": text(payload.get("message"))}, place)
    return Items(draft)


def _session(draft: Draft, payload: Mapping[str, Any], what: str, place: str) -> None:
    """Lines that are no messages: instructions, model, window, and how large the last request truly was."""
    if what == "session_meta":
        base = text(mapping(payload.get("base_instructions")).get("text")) or text(payload.get("instructions"))
        if base:
            draft.say({"role": "system", "content": base}, place)
            return
    if model := text(payload.get("model")):
        draft.settings["model"] = model
    usage = mapping(payload.get("info"))
    billed = mapping(usage.get("last_token_usage")).get("input_tokens")
    if isinstance(billed, int):
        told = f"the last request was billed {billed:,} input tokens: the tools and what the log leaves out are in it."
        draft.warnings = [*(line for line in draft.warnings if not line.startswith("the last request was")), told]
    draft.skip("line that repeats a message or tells of the session")


def _events(draft: Draft, lines: list[Line]) -> None:
    """A file that holds nothing but events: these are the messages."""
    roles = {"user_message": "user", "agent_message": "assistant"}
    for place, line in lines:
        payload = mapping(line.get("payload"))
        if kind(line) == "event_msg" and (role := roles.get(kind(payload))) and text(payload.get("message")):
            draft.say({"role": role, "content": payload["message"]}, place)


CODEX = Format("codex", "a session of Codex (rollout JSONL)", fits, find)
