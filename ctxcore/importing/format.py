"""What a format is: a name, a test of its structure, and a reader that finds the conversations in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Given:
    """A parsed file. `places` name the items of a list for warnings, such as "line 3" or "/2"."""

    value: Any
    places: Sequence[str] = ()
    name: str = ""

    def place(self, index: int) -> str:
        return self.places[index] if index < len(self.places) else f"/{index}"


@dataclass(frozen=True, slots=True)
class Found:
    """One conversation of a file; it is read when it is asked for."""

    read: Callable[[], Any]  # gives a Draft; a Scenario, once the file is known
    is_default: bool = False  # taken without asking: the others are the same conversation, read otherwise
    says: str = ""  # what tells it from the others; "" = its first words


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    about: str  # one line for tables and errors
    fits: Callable[[Any], bool]  # of the whole value; for a file with one value a line, of the list of these
    find: Callable[[Given], Sequence[Found]]
