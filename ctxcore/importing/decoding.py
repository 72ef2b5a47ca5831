"""Bytes to text: UTF-8, UTF-16 and UTF-32 by their mark; what is no text is named."""

from __future__ import annotations

import codecs

from ctxcore.errors import InputError
from ctxcore.words import Phrase

MARKS = (  # the longer first: UTF-32's begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
BINARY = {b"\x89PNG": Phrase("png"), b"\xff\xd8\xff": Phrase("jpeg"), b"GIF8": Phrase("gif"), b"%PDF": Phrase("pdf")}
BINARY |= {b"PK\x03\x04": Phrase("zip"), b"\x1f\x8b": Phrase("gzip"), b"SQLite format 3": Phrase("sqlite")}
MOST_LOST = 0.02  # of all characters: with more, it is another encoding and not a damaged file


def decoded(data: bytes, what: str) -> tuple[str, list[str]]:
    """The text without its mark, and warnings; `what` names the file in errors."""
    kind = next((name for magic, name in BINARY.items() if data.startswith(magic)), None)
    if kind is not None:
        raise InputError("is-no-text", what=what, kind=kind)
    encoding = next((name for mark, name in MARKS if data.startswith(mark)), "utf-8")
    try:
        text, lost = data.decode(encoding, "surrogatepass"), 0  # lone surrogates are repaired later, by the copy
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
        lost = text.count("\ufffd")
    text = text.removeprefix("\ufeff")
    if lost > max(3, len(text) * MOST_LOST):
        raise InputError("encoding", what=what, encoding=encoding.upper(), lost=lost)
    return text, [
        f"{what}: {lost} characters could not be read as {encoding.upper()}: U+FFFD stands there."
    ] if lost else []


def check_text(text: str, what: str) -> None:
    """Refuses what holds nothing, and what holds NUL characters."""
    if not text or text.isspace():
        raise InputError("empty-text", what=what)
    if "\0" in text:
        raise InputError("nul", what=what, at=text.index("\0"))
