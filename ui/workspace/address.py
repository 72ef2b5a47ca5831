"""The address line: `/?scenario=NAME&system=gssc&stage=select` opens that view, and shows where one is."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from ui.compare import sides
from ui.workspace.workspace import MAX_WINDOW, Workspace

SHOWN = ("scenario", "system", "variant", "model", "window", "stage", "view", "demo")
COMPARED = ("part", "other")  # shown where there is a second side
LINKED = frozenset((*SHOWN, *COMPARED, "language"))
NAME = re.compile(r"[\w.:/-]{1,120}")


def read_link(query: Mapping[str, str], known: Mapping[str, Collection[str]]) -> tuple[dict[str, Any], list[str]]:
    """Settings that the link asks for, and the parameters that make no sense.

    `known` holds the allowed values of some parameters; of the others only the form is checked.
    """
    changes: dict[str, Any] = {}
    refused: list[str] = []
    for name in sorted(LINKED & query.keys()):
        value = query[name]
        if name == "window":
            good = value.isascii() and value.isdigit() and 0 < int(value[:12]) <= MAX_WINDOW
        elif name == "other":
            changes["other"], wrong = sides.read(value)
            refused += [f"other.{each}" for each in wrong]
            continue
        else:
            good = bool(NAME.fullmatch(value)) and value in known.get(name, (value,))
        if good:
            changes[name] = int(value) if name == "window" else value
        elif value:
            refused.append(name)
    return changes, refused


def write_link(workspace: Workspace) -> dict[str, str]:
    """A name that no link may have, such as that of a file with spaces, is left to the workspace's id."""
    shown = {name: str(getattr(workspace, name)) for name in SHOWN}
    link = {name: value for name, value in shown.items() if NAME.fullmatch(value)}
    if workspace.other:
        link |= {"part": workspace.part, "other": sides.write(workspace.other)}
    return link


def read_back(query: Mapping[str, str], workspace: Workspace) -> dict[str, Any]:
    """What the browser's Back asks for. Another scenario or system is more than a view: that is left to undo."""
    now = write_link(workspace)
    if any(query.get(name) != now.get(name) for name in ("scenario", "system")):
        return {}
    changes, _ = read_link({name: value for name, value in query.items() if name != "language"}, {})
    return changes
