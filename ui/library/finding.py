"""What is on the shelf, and what of it a search means: every word, in the name, the tags, the note or the facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ui.library.kinds import KINDS, told
from ui.store import Thing
from ui.words import t
from ui.workspace import state
from ui.workspace.owner import owner

LONGEST = 100  # characters of a name that may get a number


def all_kept(trashed: bool = False) -> list[Thing]:
    """The newest first."""
    return [thing for thing in state.store().things(owner(), trashed=trashed) if thing.kind in KINDS]


def matching(things: Iterable[Thing], text: str, kind: str = "") -> list[Thing]:
    words = text.lower().split()
    return [thing for thing in things if kind in ("", thing.kind) and all(word in _said(thing) for word in words)]


def _said(thing: Thing) -> str:
    tags = " ".join(f"#{tag}" for tag in thing.tags)
    return "\n".join((thing.name, tags, thing.note, t(f"library.kind.{thing.kind}"), told(thing))).lower()


def free_name(wanted: str, taken: Sequence[str]) -> str:
    """The name, or the next one of its row: "name 2", or "name v2" after "name v1"."""
    names, stem, at = set(taken), wanted.strip()[:LONGEST] or "–", 2
    if stem not in names:
        return stem
    if version := re.fullmatch(r"(.* v)(\d{1,6})", stem):
        stem, at = version[1], int(version[2]) + 1
    else:
        stem += " "
    return next(name for number in range(at, at + len(names) + 1) if (name := f"{stem}{number}") not in names)


def names(kind: str) -> list[str]:
    """Every name of a kind that is taken, in the trash too."""
    return [one.name for trashed in (False, True) for one in state.store().things(owner(), kind, trashed)]
