"""Bytes to text: UTF-8, UTF-16 and UTF-32 by their mark; what is no text is named."""

from __future__ import annotations

import codecs

from ctxcore.errors import InputError

MARKS = (  # the longer first: UTF-32's begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
BINARY = {b"\x89PNG": "a PNG image", b"\xff\xd8\xff": "a JPEG image", b"GIF8": "a GIF image", b"%PDF": "a PDF file"}
BINARY |= {b"PK\x03\x04": "a zip archive", b"\x1f\x8b": "a gzip archive", b"SQLite format 3": "an SQLite database"}
MOST_LOST = 0.02  # of all characters: with more, it is another encoding and not a damaged file


def decoded(data: bytes, what: str) -> tuple[str, list[str]]:
    """The text without its mark, and warnings; `what` names the file in errors."""
    kind = next((name for magic, name in BINARY.items() if data.startswith(magic)), None)
    if kind is not None:
        raise InputError(f"{what} is {kind}, not text: extract its text first, or attach it as a part of a message.")
    encoding = next((name for mark, name in MARKS if data.startswith(mark)), "utf-8")
    try:
        text, lost = data.decode(encoding, "surrogatepass"), 0  # lone surrogates are repaired later, by the copy
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
        lost = text.count("\ufffd")
    text = text.removeprefix("\ufeff")
    if lost > max(3, len(text) * MOST_LOST):
        raise InputError(f"{what} is not {encoding.upper()} text ({lost} bytes cannot be read): save it as UTF-8.")
    return text, [
        f"{what}: {lost} characters could not be read as {encoding.upper()}: U+FFFD stands there."
    ] if lost else []


def check_text(text: str, what: str) -> None:
    """Refuses what holds nothing, and what holds NUL characters."""
    if not text or text.isspace():
        raise InputError(f"{what} is empty: there is nothing to read.")
    if "\0" in text:
        at = text.index("\0")
        raise InputError(f"{what} holds NUL characters (the first at {at}): it is binary, or UTF-16 without its mark.")
