"""Sessions of the pi coding agent: one entry a line; calls, results and compactions are entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.blocks import parts_of
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.speech import Message, assistant, call, compact, content, result, text_part
from ctxcore.words import Phrase

NOT_SENT = "settings of the session"
Entry = tuple[int, Mapping[str, Any]]  # its index in the file, and the entry


def fits(value: Any) -> bool:
    if (
        not isinstance(value, list)
        or not value
        or not isinstance(value[0], Mapping)
        or value[0].get("type") != "session"
    ):
        return False
    return any(isinstance(one, Mapping) and isinstance(one.get("message"), Mapping) for one in value[1:])


def find(given: Given) -> Sequence[Found]:
    """The whole session first; then what the model saw after each compaction."""
    entries = _active([(at, one) for at, one in enumerate(given.value) if isinstance(one, Mapping)])
    cuts = [at for at, (_, one) in enumerate(entries) if one.get("type") == "compaction"]
    whole = Found(partial(_read, given, entries, cuts), is_default=True, says=Phrase("reading-session") if cuts else "")
    after = [
        Found(partial(_compacted, given, entries, at), says=Phrase("reading-after", number=number))
        for number, at in enumerate(cuts, 1)
    ]
    return [whole, *after]


def _active(entries: list[Entry]) -> list[Entry]:
    """Newer sessions are trees by `id` and `parentId`: the branch that ends in the last entry."""
    if not any("parentId" in one for _, one in entries):
        return entries
    by_id = {one["id"]: (at, one) for at, one in entries if isinstance(one.get("id"), str)}
    branch, seen = list[Entry](), set[int]()
    entry: Entry | None = entries[-1]
    while entry is not None and entry[0] not in seen:
        seen.add(entry[0])
        branch.append(entry)
        parent = entry[1].get("parentId")
        entry = by_id.get(parent) if isinstance(parent, str) else None
    return branch[::-1]


def _read(given: Given, entries: Sequence[Entry], cuts: Sequence[int]) -> Draft:
    draft = _draft(given, entries)
    if cuts:
        names = ", ".join(f"--conversation {number}" for number in range(1, len(cuts) + 1))
        draft.warnings.append(
            f"compacted {len(cuts)} time(s); this is all that was said. What the model saw after each: {names}."
        )
    return draft


def _compacted(given: Given, entries: Sequence[Entry], at: int) -> Draft:
    """The summary, and the entries from the first that was kept, up to the next compaction."""
    index, compaction = entries[at]
    first, key = compaction.get("firstKeptEntryIndex"), compaction.get("firstKeptEntryId")
    kept = [
        place
        for place, (number, one) in enumerate(entries)
        if (isinstance(first, int) and number >= first) or (key is not None and one.get("id") == key)
    ]
    start = min(kept[0], at) if kept else at + 1
    end = next((place for place in range(at + 1, len(entries)) if entries[place][1].get("type") == "compaction"), None)
    draft = Draft()
    summary = [text_part(compact(compaction.get("summary") or ""))]
    draft.aside({"role": "user", "content": content(summary)}, given.place(index))
    told = _draft(given, entries[start:end])
    for message, place in zip(told.messages, told.places, strict=True):
        draft.say(message, place)
    draft.asides += told.asides
    draft.read, draft.records, draft.skipped, draft.noted = told.read, told.records, told.skipped, told.noted
    draft.settings = told.settings
    return draft


def _draft(given: Given, entries: Sequence[Entry]) -> Draft:
    draft = Draft(read=len(entries), records="entries")
    for index, entry in entries:
        place, message = given.place(index), entry.get("message")
        if isinstance(message, Mapping) and entry.get("type") in ("message", "custom_message"):
            _message(draft, message, place)
        elif entry.get("type") == "branch_summary":
            draft.aside({"role": "user", "content": compact(entry.get("summary") or "")}, place)
        else:
            model = entry.get("modelId")
            if isinstance(model, str):
                draft.settings["model"] = model
            draft.skip("compaction" if entry.get("type") == "compaction" else NOT_SENT)
    return draft


def _message(draft: Draft, message: Mapping[str, Any], place: str) -> None:
    notes: list[str] = []
    role, given = message.get("role"), message.get("content")
    if role == "assistant":
        if said := _assistant(given, notes):
            draft.say(said, place)
        else:
            draft.skip("empty reply that was stopped")
    elif role == "toolResult":
        parts = parts_of(given, notes)
        name = message.get("toolName")
        draft.say(result(message.get("toolCallId"), parts, name, is_error=message.get("isError") is True), place)
    elif role == "bashExecution":
        draft.aside({"role": "user", "content": _command(message)}, place)
    elif role in ("user", "system"):
        draft.say({"role": role, "content": content(parts_of(given, notes))}, place)
    else:
        draft.skip(f"role {compact(role)}")
    for note in notes:
        draft.note(note, place)


def _assistant(given: Any, notes: list[str]) -> Message | None:
    blocks = given if isinstance(given, list) else [given] if given else []
    kinds = [block.get("type") if isinstance(block, Mapping) else "" for block in blocks]
    calls = [
        call(block.get("id"), block.get("name"), block.get("arguments"))
        for block, kind in zip(blocks, kinds, strict=True)
        if kind == "toolCall"
    ]
    thinking = [_thinking(block) for block, kind in zip(blocks, kinds, strict=True) if kind == "thinking"]
    words = [block for block, kind in zip(blocks, kinds, strict=True) if kind not in ("toolCall", "thinking")]
    parts = parts_of(words, notes)
    return assistant(parts, calls, thinking) if parts or calls else None


def _thinking(block: Mapping[str, Any]) -> Message:
    return {"type": "thinking", "thinking": block.get("thinking"), "signature": block.get("thinkingSignature")}


def _command(message: Mapping[str, Any]) -> str:
    """As the agent tells the model of a command that the user ran."""
    output = compact(message.get("output") or "")
    text = f"Ran `{message.get('command')}`\n" + (f"```\n{output}\n```" if output else "(no output)")
    code = message.get("exitCode")
    return f"{text}\n\nCommand exited with code {code}" if isinstance(code, int) and code else text


PI_AGENT = Format("pi-agent", "a session of the pi coding agent (JSONL)", fits, find)
