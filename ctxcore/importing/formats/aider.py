"""Chat histories of Aider: Markdown, in which `####` lines are the user's, `>` lines the tool's, all else answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Any

from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given

BEGIN = re.compile(r"^# aider chat started at (.*)$")
ASKED, SHOWN = "#### ", "> "
NOT_THERE = "the system prompt, the repo map and the files are not in the history: the true size is larger."
Line = tuple[int, str]


def fits(value: Any) -> bool:
    """A text with a session's first line; or with lines by the user and by the tool that end as Aider ends lines."""
    if not isinstance(value, str):
        return False
    lines = value.split("\n")
    if any(BEGIN.match(line) for line in lines):
        return True
    ended = [line for line in lines if line.endswith("  ")]
    return any(line.startswith(ASKED) for line in ended) and any(line.startswith(SHOWN) for line in ended)


def find(given: Given) -> Sequence[Found]:
    """Each session that holds a message. What stands before the first one's line is a session without a name."""
    sessions: list[tuple[str, list[Line]]] = [("before the first session", [])]
    for number, line in enumerate(given.value.split("\n"), start=1):
        if found := BEGIN.match(line):
            sessions.append((found[1].strip(), []))
        else:
            sessions[-1][1].append((number, line))
    return [
        Found(partial(_read, lines), says=name)
        for name, lines in sessions
        if any(line.startswith(ASKED) for _, line in lines)
    ]


def _kind(line: str) -> str:
    if line.startswith(ASKED) or line == ASKED.strip():
        return "user"
    return "shown" if line.startswith(SHOWN) or line == ">" else "assistant"


def _read(lines: list[Line]) -> Draft:
    draft = Draft(records="blocks")
    for what, block in groupby(lines, key=lambda one: _kind(one[1])):
        rows = list(block)
        words = "\n".join(_words(line, what) for _, line in rows).strip("\n")
        if not words.strip():
            continue
        draft.read += 1
        if what == "shown":
            draft.skip("block of output that the tool showed, which is not sent")
        elif what == "user" and words.startswith("/"):
            draft.skip("command to the tool")
        else:
            _say(draft, what, words, f"line {rows[0][0]}")
    draft.warnings.append(NOT_THERE)
    return draft


def _words(line: str, what: str) -> str:
    """Without the mark, and without the two spaces that end a line in Markdown."""
    return (
        line.removeprefix(ASKED.rstrip()).removeprefix(" ").removesuffix("  ")
        if what == "user"
        else line.removesuffix("  ")
    )


def _say(draft: Draft, role: str, words: str, place: str) -> None:
    """What the tool showed in the middle of an answer parts it no further."""
    if draft.messages and draft.messages[-1]["role"] == role:
        draft.messages[-1]["content"] += f"\n\n{words}"
        draft.skip("block joined to the one before, which is by the same speaker")
    else:
        draft.say({"role": role, "content": words}, place)


AIDER = Format("aider", "a chat history of Aider (Markdown): each session a conversation", fits, find)
