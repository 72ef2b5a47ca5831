"""Sessions of Claude Code: a tree of lines; one answer is spread over several lines, compactions begin anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.anthropic_messages import say_message, unlogged
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.shapes import kind, listed, mapping, objects, text
from ctxcore.words import Phrase

MARKS = {"uuid", "sessionId", "parentUuid"}
OURS = {"summary", "file-history-snapshot", "queue-operation"}
TALK = ("user", "assistant")
Line = tuple[str, Mapping[str, Any]]  # its place, and the line


def fits(value: Any) -> bool:
    lines = objects(value)
    if not lines or any("projectHash" in line or kind(line) == "gemini" for line in lines):
        return False
    talk = any(kind(line) in (*TALK, "summary") and "message" in line and MARKS & line.keys() for line in lines)
    return talk or all(kind(line) in OURS for line in lines)


def find(given: Given) -> Sequence[Found]:
    """What the model sees now; all that was said; and each side task with a context of its own."""
    lines = [(given.place(at), line) for at, line in enumerate(given.value) if isinstance(line, Mapping)]
    main = [line for line in lines if line[1].get("isSidechain") is not True]
    whole = _branch(main)
    found = [Found(partial(_read, whole, lines, True), is_default=True, says=Phrase("reading-now"))]
    if any(_is_boundary(line) for _, line in whole):
        found.append(Found(partial(_read, whole, lines, False), says=Phrase("reading-all")))
    side = [line for line in lines if line[1].get("isSidechain") is True]
    return [*found, *(Found(partial(_read, task, task, True), says=Phrase("reading-side")) for task in _tasks(side))]


def _branch(lines: list[Line]) -> list[Line]:
    """From the last line with a message along its parents; in the order of the file where they are not all linked."""
    by_id = {text(line.get("uuid")): (place, line) for place, line in lines if line.get("uuid")}
    roots = sum(1 for _, line in lines if "message" in line and text(line.get("parentUuid")) not in by_id)
    talk = [one for one in lines if kind(one[1]) in TALK and "message" in one[1]]
    if roots != 1 or not talk:
        boundaries = sum(1 for _, line in lines if _is_boundary(line))
        if not talk or roots > 1 + boundaries:
            return lines
    branch, seen = list[Line](), set[str]()
    at: Line | None = talk[-1]
    while at is not None and (key := text(at[1].get("uuid"))) not in seen:
        seen.add(key)
        branch.append(at)
        parent = text(at[1].get("parentUuid")) or text(at[1].get("logicalParentUuid"))
        at = by_id.get(parent)
    return branch[::-1]


def _tasks(lines: list[Line]) -> list[list[Line]]:
    """Side tasks: each begins with a line whose parent is not one of them."""
    tasks: list[list[Line]] = []
    of: dict[str, list[Line]] = {}
    for place, line in lines:
        task = of.get(text(line.get("parentUuid")))
        if task is None:
            task = []
            tasks.append(task)
        task.append((place, line))
        of[text(line.get("uuid"))] = task
    return [task for task in tasks if any("message" in line for _, line in task)]


def _is_boundary(line: Mapping[str, Any]) -> bool:
    return line.get("subtype") == "compact_boundary"


def _read(branch: list[Line], lines: list[Line], is_now: bool) -> Draft:
    draft = Draft(read=len(lines), records="lines")
    cut = max((at for at, (_, line) in enumerate(branch) if _is_boundary(line)), default=-1)
    if is_now and cut >= 0:
        before = sum(1 for _, line in branch[:cut] if "message" in line)
        draft.skip("line before the compaction, which the model does not see any more", before)
        draft.warnings.append("compacted: this is what the model sees now. All that was said: --conversation 1.")
        branch = branch[cut + 1 :]
    off = len([line for _, line in lines if "message" in line]) - len([1 for _, line in branch if "message" in line])
    draft.skip("line on another branch or of a side task", max(0, off - sum(draft.skipped.values())))
    for place, message, count in _merged(branch):
        draft.skip("line merged into the message it is a part of", count - 1)
        before = len(draft.messages)
        say_message(draft, message, place)
        if message["is_note"]:
            draft.asides += [one for one in draft.messages[before:] if one["role"] == "user"]
    draft.skip("line without a message", sum(1 for _, line in lines if "message" not in line))
    _tell_base(draft, branch)
    return draft


def _merged(branch: list[Line]) -> list[tuple[str, dict[str, Any], int]]:
    """Messages with the number of lines that make them: lines of one answer bear the same message id."""
    out: list[tuple[str, dict[str, Any], int]] = []
    for place, line in branch:
        message = mapping(line.get("message"))
        if not message:
            continue
        key, last = text(message.get("id")), out[-1][1] if out else {}
        if key and last.get("id") == key and last.get("role") == message.get("role"):
            where, joined, count = out[-1]
            blocks = [*_blocks(joined.get("content")), *_blocks(message.get("content"))]
            out[-1] = (where, {**joined, **message, "content": blocks}, count + 1)
        else:
            role = text(message.get("role")) or ("user" if kind(line) != "assistant" else "assistant")
            is_note = line.get("isMeta") is True or line.get("isCompactSummary") is True
            out.append((place, {**message, "role": role, "is_note": is_note}, 1))
    return out


def _blocks(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else listed(content)


def _tell_base(draft: Draft, branch: list[Line]) -> None:
    """The system prompt and the tools are not in the log: the first bill tells how much is missing."""
    answers = [mapping(line.get("message")) for _, line in branch if kind(line) == "assistant"]
    for message in answers:
        if model := text(message.get("model")):
            draft.settings["model"] = model
    if answers and (billed := unlogged(answers[0].get("usage"))):
        draft.warnings.append(
            f"the system prompt and the tools are not in the log: the first answer was billed {billed:,} input tokens."
        )


CLAUDE_CODE = Format("claude-code", "a session of Claude Code (JSONL)", fits, find)
