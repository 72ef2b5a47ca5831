"""Takes a scenario apart into content-addressed pieces, so that editing one message of a thousand stores one.

Every entry of a top-level list is a piece, and so is every other top-level object; plain values stay in the skeleton.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

HASH_BYTES = 20
SHORT = 2048  # bytes; of a long session five of six entries are, and they weigh a third
ZLIB = b"x"  # the first byte of a stream
LONGEST = 200  # characters of a name
_SHORTEST = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))  # json.dumps makes one a call
Skeleton = list[list[Any]]  # [field, "plain", value] | [field, "whole", 1] | [field, "each", how many]


def digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=HASH_BYTES).digest()


def encode(value: Any) -> bytes:
    """The same bytes for the same value. Lone surrogates are kept: a store must give back what it was given."""
    return _SHORTEST.encode(value).encode("utf-8", "surrogatepass")


def column(text: str, most: int = LONGEST) -> str:
    """A name as every database takes it: no NUL, no half characters."""
    return text[:most].encode("utf-8", "replace").decode().replace("\0", "?")


def decode(body: bytes) -> Any:
    return json.loads(body.decode("utf-8", "surrogatepass"))


def pack(body: bytes) -> bytes:
    """Short ones stay as they are: JSON never begins like a zlib stream, and each stream costs time of its own."""
    return zlib.compress(body, level=1) if len(body) > SHORT else body


def unpack(body: bytes) -> bytes:
    return zlib.decompress(body) if body.startswith(ZLIB) else body


def take_apart(scenario: Mapping[str, Any]) -> tuple[Skeleton, list[bytes]]:
    skeleton: Skeleton = []
    pieces: list[bytes] = []
    for field, value in scenario.items():
        if isinstance(value, list | tuple) and any(isinstance(entry, dict) for entry in value):
            skeleton.append([field, "each", len(value)])
            pieces += map(encode, value)
        elif isinstance(value, list | tuple | dict):
            skeleton.append([field, "whole", 1])
            pieces.append(encode(value))
        else:
            skeleton.append([field, "plain", value])
    return skeleton, pieces


def address(skeleton: Skeleton, hashes: Sequence[bytes]) -> str:
    """The id of a revision: the same content has the same one."""
    return digest(encode(skeleton) + b"".join(hashes)).hex()


def put_together(skeleton: Skeleton, pieces: Sequence[bytes]) -> dict[str, Any]:
    left = iter(pieces)
    return {field: _value(kind, given, left) for field, kind, given in skeleton}


def _value(kind: str, given: Any, left: Iterator[bytes]) -> Any:
    if kind == "plain":
        return given
    if kind == "whole":
        return decode(next(left))
    return [decode(next(left)) for _ in range(given)]


def split_refs(refs: bytes) -> list[bytes]:
    return [refs[start : start + HASH_BYTES] for start in range(0, len(refs), HASH_BYTES)]
