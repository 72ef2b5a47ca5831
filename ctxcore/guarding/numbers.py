"""Numbers with a check digit or a rule: identity and social security numbers, bank cards, IBANs (by `stdnum`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ctxcore.guarding.match import Match
from ctxcore.guarding.runs import numbers

_IDENTITY = re.compile(r"(?<![\w.])[1-9]\d(?: ?\d){4}(?: ?\d){11} ?[\dXx](?!\w)", re.ASCII)
_SSN = re.compile(r"(?<![\w.-])\d{3}-\d{2}-\d{4}(?![\w-])|(?<=SSN )\d{3} \d{2} \d{4}(?!\w)", re.ASCII)
_PASSPORT = re.compile(r"(?:passport|护照|通行证)\D{0,12}?(?<![A-Za-z0-9])([A-Z]{1,2}\d{7,8})(?![A-Za-z0-9])", re.I)
_PROVINCES = {
    *range(11, 16),
    *range(21, 24),
    *range(31, 38),
    *range(41, 47),
    *range(50, 55),
    *range(61, 66),
    71,
    81,
    82,
}
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)", re.ASCII)
# First digits and lengths by which the networks know their cards.
_NETWORKS = re.compile(
    r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|(?:6011|65\d\d|64[4-9]\d)\d{12,15}|35(?:2[89]|[3-8]\d)\d{12,15}|3(?:0[0-5]|[68]\d)\d{11,16}|62\d{14,17}"
)


def identities(text: str) -> Iterator[Match]:
    """Of the people of China, with province, date of birth and check digit right; of the United States, as they are
    given out and with their hyphens; passports, after a word for one."""
    from stdnum.us import ssn

    yield from _valid("identity", _IDENTITY, text, _is_resident)
    yield from _valid("identity", _SSN, text, ssn.is_valid)
    yield from (Match("identity", *found.span(1)) for found in _PASSPORT.finditer(text))


def _is_resident(written: str) -> bool:
    """`stdnum` would also ask that the county had its number in the year of birth; people register later than that."""
    from stdnum.cn import ric
    from stdnum.exceptions import ValidationError

    number = written.replace(" ", "")
    try:
        born = ric.get_birth_date(number)
    except (ValidationError, ValueError):
        return False
    return born.year >= 1900 and int(number[:2]) in _PROVINCES and number[-1] == ric.calc_check_digit(number)


def cards(text: str) -> Iterator[Match]:
    """Bank cards of a known network, written in one or in groups of four (Amex: 4-6-5), and IBANs."""
    from stdnum import iban, luhn

    def is_one(start: int, end: int) -> bool:
        digits = re.sub(r"\D", "", text[start:end])
        return bool(_NETWORKS.fullmatch(digits)) and luhn.is_valid(digits) and _is_grouped(text[start:end])

    yield from (Match("card", start, end) for start, end in numbers(text, 14, 19, is_one))
    for found in _IBAN.finditer(text):
        end = found.end()
        if not iban.is_valid(found[0]):  # a short word in capitals may follow
            end = found.start() + len(found[0].rpartition(" ")[0])
        if end == found.end() or iban.is_valid(text[found.start() : end]):
            yield Match("card", found.start(), end)


def _is_grouped(written: str) -> bool:
    sizes = [len(group) for group in re.split(r"[ -]", written)]
    return len(sizes) == 1 or sizes == [4, 6, 5] or (set(sizes[:-1]) == {4} and sizes[-1] <= 4)


def _valid(kind: str, pattern: re.Pattern[str], text: str, is_valid: Callable[[Any], bool]) -> Iterator[Match]:
    return (Match(kind, found.start(), found.end()) for found in pattern.finditer(text) if is_valid(found[0].upper()))
