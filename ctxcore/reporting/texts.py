"""How much of each text a report holds: all, or the beginning of the longest, so that the file stays handy."""

from __future__ import annotations

from collections.abc import Mapping

from ctxcore.reporting.markup import text

LEAST = 200  # characters of a text that always stand there


def cut(texts: Mapping[str, str], room: int) -> dict[str, str]:
    """The texts, of which the longest are cut to one length, so that all together take `room` bytes as markup."""
    sizes = {key: size(value) for key, value in texts.items()}
    most = _level(sorted(sizes.values()), room)
    return {key: value if sizes[key] <= most else _begin(value, max(LEAST, most)) for key, value in texts.items()}


def size(value: str) -> int:
    return len(text(value).encode())


def _level(sizes: list[int], room: int) -> int:
    """The largest length to which cutting the longer ones makes them fit."""
    left = room
    for at, here in enumerate(sizes):
        share = left // (len(sizes) - at)
        if here > share:
            return max(0, share)
        left -= here
    return sizes[-1] if sizes else 0


def _begin(value: str, most: int) -> str:
    """The beginning of at most that many bytes as markup."""
    found = value[:most]
    while len(found) > 1 and (now := size(found)) > most:
        found = found[: min(len(found) - 1, int(len(found) * most / now))]
    return found
