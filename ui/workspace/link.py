"""Links for colleagues. What is small stands in the link itself, as versioned JSON; what names texts lies in the store.

`?state=` holds `{"v": 1, …}` in base64url; `?share=` the id of `{"v": 1, "workspace": …}` in the store. A version is
never changed once released: a change is a new one, and the older ones stay readable.
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing.plain import Copier
from ui.compare import sides
from ui.workspace.workspace import Workspace

VERSION = 1
STATE, SHARE = "state", "share"
NAMES = frozenset((STATE, SHARE))
LONGEST = 1_500  # characters: what mail and chat programs pass on whole
LONGEST_READ = 20_000
SETTINGS = ("system", "variant", "model", "window", "reserve", "limits", "options", "stages")
ALWAYS = ("scenario", "system", "variant", "model", "window")  # their defaults may be others one day
NAME = re.compile(r"[\w.:/#-]{1,120}")
MOST_MARKS = 500


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(NAME.fullmatch(value))


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_MARKS and all(map(_is_name, value))


def _are_priorities(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        _is_name(key) and type(rank) is int and 1 <= rank <= 10 for key, rank in value.items()
    )


MORE: Mapping[str, Callable[[Any], bool]] = {
    "scenario": _is_name,
    "stage": _is_name,
    "run_to": _is_name,
    "view": _is_name,
    "part": lambda value: value in sides.PARTS,
    "pins": _are_names,
    "mutes": _are_names,
    "priorities": _are_priorities,
    "other": lambda value: isinstance(value, Mapping) and not sides.checked(value)[1],
}


def write(workspace: Workspace) -> str | None:
    """None where the workspace names texts, which no link can hold, or is too much for an address."""
    if any(workspace.names()):
        return None
    plain, default = workspace.to_plain(), Workspace().to_plain()
    kept = {name: plain[name] for name in (*SETTINGS, *MORE) if name in ALWAYS or plain[name] != default[name]}
    text = json.dumps({"v": VERSION, **kept}, ensure_ascii=False, separators=(",", ":"))
    link = urlsafe_b64encode(text.encode("utf-8", "replace")).decode().rstrip("=")
    return link if len(link) <= LONGEST else None


def read(text: str) -> tuple[dict[str, Any], list[str]] | None:
    """Changes of a new workspace, and the names of what makes no sense here; None where it is no link at all."""
    try:
        padded = text[:LONGEST_READ] + "=" * (-len(text) % 4)
        given = Copier().copy(json.loads(urlsafe_b64decode(padded.encode("ascii"))))
    except (ValueError, RecursionError, InputError):
        return None
    if not isinstance(given, dict) or type(given.get("v")) is not int:
        return None
    return checked({name: value for name, value in given.items() if name != "v"})


def checked(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Fields of a workspace from elsewhere: those that this ctxcore can use, and the names of those it cannot."""
    settings = {name: value for name, value in given.items() if name in SETTINGS}
    changes, refused = sides.checked({name: value for name, value in settings.items() if value not in (None, [], {})})
    changes |= {name: given[name] for name, fits in MORE.items() if name in given and fits(given[name])}
    refused += [name for name in given if name not in changes and name not in SETTINGS]
    return {name: tuple(v) if isinstance(v, list) else v for name, v in changes.items()}, refused


def share(workspace: Workspace, id: str) -> dict[str, Any]:
    """What the store keeps of a view that is too much for a link. `id`: its workspace, so that its owner is told."""
    return {"v": VERSION, "of": id, "workspace": {**workspace.to_plain(), "language": ""}}


def of_share(body: Mapping[str, Any]) -> Workspace | None:
    """The view that was shared, by this ctxcore, an older or a newer one."""
    given = body.get("workspace")
    return Workspace.from_plain(given) if isinstance(given, Mapping) and type(body.get("v")) is int else None
