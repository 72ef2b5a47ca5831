"""Whether a reply is right, without a judge: normalised words, or numbers within a tolerance."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

from ctxcore.evaluating.questions import Question

ARTICLES = re.compile(r"\b(a|an|the)\b")
CJK = re.compile(r"(?<=[\u3040-\u30ff\u3400-\u9fff])\s+|\s+(?=[\u3040-\u30ff\u3400-\u9fff])")
EACH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
NUMBER = re.compile(r"[-−]?\d+(?:[,，]\d{3})*(?:\.\d+)?")


def is_right(question: Question, reply: str) -> bool:
    return any(_RIGHT[question.kind](question, expected, reply) for expected in question.expects)


def normal(text: str) -> str:
    """As reading tests compare answers: NFKC, no letter case, no punctuation, no English articles, single spaces;
    between Chinese characters none."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    bare = "".join(" " if unicodedata.category(each)[0] in "PS" else each for each in _numbers_joined(plain))
    return CJK.sub("", " ".join(ARTICLES.sub(" ", bare).split()))


def numbers(text: str) -> list[float]:
    found = NUMBER.findall(unicodedata.normalize("NFKC", text))
    return [float(one.replace(",", "").replace("−", "-")) for one in found]


def _numbers_joined(text: str) -> str:
    """1,240 is 1240, and the point of 31.70 is no full stop."""
    return re.sub(r"(?<=\d)\.(?=\d)", "d", re.sub(r"(?<=\d),(?=\d{3})", "", text))


def _contains(question: Question, expected: str, reply: str) -> bool:
    """Whole words; in Chinese, which has none, characters in a row."""
    wanted, said = _parted(normal(expected)), _parted(normal(reply))
    return bool(wanted) and f" {wanted} " in f" {said} "


def _parted(text: str) -> str:
    return " ".join(EACH.sub(r" \g<0> ", text).split())


def _exact(question: Question, expected: str, reply: str) -> bool:
    return normal(expected) == normal(reply)


def _number(question: Question, expected: str, reply: str) -> bool:
    wanted = numbers(expected)
    return bool(wanted) and any(abs(one - wanted[0]) <= question.tolerance for one in numbers(reply))


_RIGHT: Mapping[str, Callable[[Question, str, str], bool]] = {
    "contains": _contains,
    "exact": _exact,
    "number": _number,
}
