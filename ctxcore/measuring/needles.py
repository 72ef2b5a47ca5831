"""Needles, the haystack they lie in, and the question: a number that belongs to a name, among others that do not.

A single needle is found nearly everywhere; needles that look alike (distractors) show where a model looks. `literal`
needles share the words of the question; `paraphrased` ones say the same in other words, as NoLiMa does.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import cycle

NAMES = (
    ("Riga", "Porto", "Ghent", "Bergen", "Turin", "Graz", "Lyon", "Bath", "Delft", "Arles", "Kotor", "Siena")
    + ("Lund", "Tartu", "Brno", "Cadiz", "Ulm", "Split", "Kazan", "Bursa")
)  # fmt: skip
SAYS = {
    "literal": "The secret number of {name} is {number}.",
    "paraphrased": "Whoever wants to open the vault in {name} has to dial {number}.",
}
ASKS = "What is the secret number of {name}? Answer with the number only."
_SUBJECTS = ("The old library", "The ferry", "The bakery at the corner", "The north wing", "The choir", "The garden")
_VERBS = ("opens", "closes", "is painted", "is repaired", "is visited", "changes its hours")
_WHEN = (
    "every spring",
    "after the holidays",
    "when the weather allows",
    "on quiet days",
    "in most years",
    "now and then",
)
_WHY = (
    "because people ask for it",
    "although few remember the reason",
    "so that nothing has to be rushed",
    "as the council decided long ago",
    "which suits the neighbours",
    "and nobody minds",
    "while the market is on",
)


def filler(seed: int = 1) -> Sequence[str]:
    """Sentences without numbers or places that stand for any text, in a fixed order of their own."""
    made = [f"{s} {v} {when} {why}." for s in _SUBJECTS for v in _VERBS for when in _WHEN for why in _WHY]
    random.Random(seed).shuffle(made)
    return made


def number_of(name: str, seed: str) -> int:
    """Five digits: another one for each name and seed."""
    return random.Random(f"{seed}:{name}").randint(10_000, 99_999)


def haystack(sentences: Sequence[str], tokens: int, size: Sequence[int]) -> list[str]:
    """Whole sentences, from the first on and round again, with at most `tokens` tokens (`size`: of each of them)."""
    out: list[str] = []
    for sentence, cost in cycle(zip(sentences, size, strict=True)):
        tokens -= cost
        if tokens < 0:
            return out
        out.append(sentence)
    return out


def with_needles(sentences: Sequence[str], needles: Sequence[tuple[float, str]]) -> str:
    """The text with each needle at its place (0 = before the first sentence, 1 = after the last)."""
    at = sorted((round(place * len(sentences)), order, needle) for order, (place, needle) in enumerate(needles))
    out: list[str] = []
    for index in range(len(sentences) + 1):
        out += [needle for place, _, needle in at if place == index]
        out += sentences[index : index + 1]
    return " ".join(out)
