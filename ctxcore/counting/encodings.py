"""The two encodings, built from the ranks that ship in this package: nothing is downloaded, whatever is missing."""

from __future__ import annotations

import gzip
import re
from base64 import b64decode
from functools import cache
from hashlib import sha256
from importlib import resources
from threading import Lock
from typing import TYPE_CHECKING

from ctxcore.counting.vocabularies import VOCABULARIES, mark_of, path_of, prepared, ranks_of
from ctxcore.errors import CtxError

if TYPE_CHECKING:
    from tiktoken import Encoding

SHA256 = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_SUFFIX = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_PATTERNS = {  # how a text is split before its parts are merged into tokens; as in tiktoken
    "cl100k_base": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    "o200k_base": rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_SUFFIX}"
    rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_SUFFIX}"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}
# Blanks without line ends, as the patterns see them (str.isspace also holds U+001C to U+001F, which they do not).
BLANKS = "\t\v\f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_LONG_TEXT = 200_000
_LONG_BLANK = re.compile(f"[{BLANKS}]{{200000,}}")


_loading = Lock()


def encoding(name: str) -> Encoding:
    """One instance for the whole process; the first call takes about half a second."""
    with _loading:
        return _encoding(name)


@cache
def _encoding(name: str) -> Encoding:
    from tiktoken import Encoding  # 40 ms: only who counts pays

    pattern, ranks = ranks_of(name) if name in VOCABULARIES else (_PATTERNS[name], _ranks(name))
    return Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def is_available(name: str) -> bool:
    return name in SHA256 or path_of(name) is not None


def fingerprint(name: str) -> str:
    return f"{name}:{(SHA256.get(name) or mark_of(name))[:16]}"


def _ranks(name: str) -> dict[bytes, int]:
    file = f"ctxcore/counting/ranks/{name}.tiktoken.gz"
    try:
        raw = gzip.decompress(resources.files(__package__).joinpath(f"ranks/{name}.tiktoken.gz").read_bytes())
    except (OSError, EOFError, ValueError) as error:
        raise CtxError("ranks-unreadable", file=file, error=error) from error
    if sha256(raw).hexdigest() != SHA256[name]:
        raise CtxError("ranks-differ", file=file)
    return {b64decode(token): int(rank) for token, rank in (line.split() for line in raw.splitlines() if line)}


def encode(name: str, text: str) -> list[int]:
    """Token ids; the names of special tokens are ordinary text, and lone surrogates count as U+FFFD.

    tiktoken's regular expressions panic on about a million blanks in a row. Such a run is a piece of its own up to
    its last blank, which the next piece may take, so it is merged apart from the rest with the same result.
    """
    known, text = encoding(name), prepared(name, text)
    if len(text) < _LONG_TEXT:
        return known.encode_ordinary(text)
    ids: list[int] = []
    at = 0
    for run in _LONG_BLANK.finditer(text):
        after = text[run.end() : run.end() + 1]
        if after in ("\r", "\n") or (not after and name == "cl100k_base"):
            continue  # one piece with the line ends beside it, and harmless
        stop = run.end() - 1 if after else run.end()
        ids += known.encode_ordinary(text[at : run.start()])
        ids += known._encode_single_piece(text[run.start() : stop])
        at = stop
    return ids + known.encode_ordinary(text[at:])


def repaired(text: str) -> str:
    """As tiktoken repairs it: surrogate pairs become their character, lone ones U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
