"""E-mail addresses, and telephone numbers that their country has (Google's table, by way of `phonenumbers`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ctxcore.guarding.match import Match
from ctxcore.guarding.runs import numbers

# The name in an address has at most 64 characters (RFC 5321); without that bound, a long text takes quadratic time.
_EMAIL = re.compile(
    r"(?<![\w.+'-])[\w.+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])(?!:\S)", re.ASCII
)
_FOREIGN = re.compile(r"\+\d{1,3}(?:[ ().-]{0,2}\d){6,13}(?!\d)", re.ASCII)
_GROUP = re.compile(r"\d+")
_MOBILE = re.compile(r"1[3-9]\d{9}")  # of China: written without a break more often than not
_CALLED = re.compile(
    r"(?:phone|mobile|cell|tel|fax|call|text|whatsapp|my (?:new )?number(?:'s| is)?|电话|手机|座机|传真|联系方式)"
    r"\W{0,6}(?:\w{1,3}\W{1,3})?$",
    re.IGNORECASE,
)


_NOBODY_S = (3, 4, 5, 9)  # toll-free, premium rate, shared cost, of a whole firm


def emails(text: str) -> Iterator[Match]:
    if "@" in text:
        for found in _EMAIL.finditer(text):
            if not found[0].startswith("git@"):  # the user of a repository, nobody's address
                yield Match("email", found.start() + (len(found[0]) - len(found[0].lstrip("'.-+"))), found.end())


def phones(text: str, regions: tuple[str, ...]) -> Iterator[Match]:
    """With a country code; or as one of the `regions`, or the country of another number of the text, writes its
    numbers; or, without a break, after a word for it."""
    known = (*regions, *sorted(_told(text) - set(regions)))

    def is_one(start: int, end: int) -> bool:
        begin = _begin(text, start)
        called = bool(_CALLED.search(text[max(0, begin - 24) : begin]))
        return _is_phone(text[begin:end], called, known)

    yield from (Match("phone", _begin(text, start), end) for start, end in numbers(text, 7, 17, is_one))


def _told(text: str) -> set[str]:
    """Countries whose code stands in the text, in front of a number of theirs."""
    import phonenumbers

    told = set[str]()
    for found in _FOREIGN.finditer(text) if "+" in text else ():
        if _valid(found[0], None) is not None:
            told.add(phonenumbers.region_code_for_number(phonenumbers.parse(found[0], None)) or "")
    return told - {""}


def _begin(text: str, start: int) -> int:
    """Where the number begins, with its plus and its bracket."""
    while start and text[start - 1] in "+(（":
        start -= 1
    return start


@lru_cache(maxsize=4096)
def _is_phone(written: str, is_called: bool, regions: tuple[str, ...]) -> bool:
    written = written.replace("（", "(").replace("）", ")")
    if written.startswith("00"):
        written = f"+{written[2:]}"
    if "+" in written:
        return written.lstrip("(")[0] == "+" and _valid(written, None) is not None
    groups = _GROUP.findall(written)
    if len(groups) == 1:
        return bool(_MOBILE.fullmatch(written) and _valid(written, "CN")) or (
            is_called and any(_valid(written, region) for region in regions)
        )
    return any(_is_written_so(groups, _valid(written, region), region) for region in regions)


def _is_written_so(groups: list[str], national: str | None, region: str) -> bool:
    """Whether the number breaks only where its country breaks it."""
    if national is None:
        return False
    if region in ("US", "CA") and groups[0] == "1":
        groups = groups[1:]
    own = _GROUP.findall(national)
    return "".join(own) == "".join(groups) and _breaks(groups) <= _breaks(own) and len(groups) > 1


def _breaks(groups: list[str]) -> set[int]:
    at, found = 0, set()
    for group in groups:
        at += len(group)
        found.add(at)
    return found


def _valid(written: str, region: str | None) -> str | None:
    """The number as its country writes it; None for one that cannot be."""
    import phonenumbers

    try:
        number = phonenumbers.parse(written, region)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_valid_number(number) or phonenumbers.number_type(number) in _NOBODY_S:
        return None
    return str(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL))
