"""Inputs near to real ones: bytes changed, pieces doubled, left out, swapped, taken from another file or a list."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.build import SHARED

LARGEST = 6_000  # bytes of a seed: small ones are quick, and most of what can go wrong is in the first messages
PIECES = (
    *(b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\n", b"\r\n", b"\0", b"\xff", b"\xef\xbb\xbf"),
    *(b"\xed\xa0\x80", b"\xe4\xbd\xa0", b"null", b"true", b"-1", b"1e999", b"NaN", b"9" * 400, b'""', b"{}", b"[]"),
    *(b"[[]]", b'{"":{}}', b"\\ud800", b'"role":"tool"', b'"content":null', b'"tool_calls":[{}]', b'"parts":[null]'),
    *(b'"id":[]', b'"type":"image_url"', b'"messages":{}', b'"timestamp":"x"', b'"usage":[]', b'"arguments":{"a":[1]}'),
    *(b"---\n", b"# ", b"data: "),
)
OWN = (
    b'[{"role":"user","content":"Hi."},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",'
    b'"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"7"}]',
    b'{"schema":"ctxcore.scenario/1","name":"x","messages":[{"role":"user","content":[{"type":"text","text":"a"}]}],'
    b'"documents":[{"id":"d","title":"t","text":"b"}],"settings":{"window":900,"limits":{"docs":"5%"}}}',
    b"# A title\n\nA text with **marks**.\n\n- one\n- two\n",
)


def seeds() -> list[bytes]:
    """Our own, the small files among the real ones, and the heads of the larger line by line ones."""
    found = list(OWN)
    for file in sorted(path for path in SHARED.glob("*/**/*") if path.is_file() and path.suffix in SUFFIXES):
        data = file.read_bytes()
        if len(data) <= LARGEST:
            found.append(data)
        elif file.suffix == ".jsonl" and (head := data[:LARGEST].rpartition(b"\n")[0]):
            found.append(head)
    return found


SUFFIXES = (".json", ".jsonl", ".md", ".txt", ".traj", ".eval", ".csv", ".html")


def mutants(seeds: Sequence[bytes], count: int, seed: int = 1) -> Iterator[bytes]:
    draw = random.Random(seed)
    for _ in range(count):
        data = draw.choice(seeds)
        for _ in range(draw.choice((1, 1, 2, 3, 6))):
            data = _changed(draw, data, seeds)
        yield data[: 4 * LARGEST]


def _changed(draw: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start = draw.randrange(len(data) + 1)
    end = min(len(data), start + draw.choice((0, 1, 2, 8, 64, 512)))
    match draw.randrange(6):
        case 0:
            return data[:start] + data[end:]
        case 1:
            return data[:end] + data[start:]
        case 2:
            return data[:start] + draw.choice(PIECES) + data[end:]
        case 3:
            return data[:start] + bytes(draw.randrange(256) for _ in range(draw.choice((1, 3)))) + data[end:]
        case 4:
            other = draw.choice(seeds)
            at = draw.randrange(len(other) + 1)
            return data[:start] + other[at : at + draw.choice((8, 64, 512))] + data[end:]
        case _:
            pieces = data.split(b",")
            draw.shuffle(pieces)
            return b",".join(pieces)


def kept(folder: Path) -> list[bytes]:
    """What once went wrong."""
    return [file.read_bytes() for file in sorted(folder.iterdir())] if folder.is_dir() else []
