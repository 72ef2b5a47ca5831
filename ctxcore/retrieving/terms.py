"""What a text is searched by: stemmed English words, identifiers, numbers; in Chinese, characters and pairs of them."""

from __future__ import annotations

import re
from itertools import chain
from operator import add
from unicodedata import normalize

# Kana, hanzi, hangul, Thai: no spaces between words, so one and two characters stand for a word.
UNSPACED = "\u0e00-\u0e7f\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"

# \w and \b take hanzi for word characters, so "用GPT写" would be one word: the ranges are written out instead.
_ASCII = re.compile(r"[a-z0-9_]+(?:[-.,'][a-z0-9_]+)*")
_ANY = re.compile(rf"[{UNSPACED}]+|[^\W{UNSPACED}]+(?:[-.,'’][^\W{UNSPACED}]+)*")
_RUN = re.compile(rf"[{UNSPACED}]")
_PART = re.compile(r"[-.,'’_]+")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+")

_STOP_WORDS = """
a about after all also am an and any are as at be because been before being both but by can could did do does doing
don done during each for from further had has have having he her here hers him his how i if in into is it its itself
just me more most my of off on once only or other our ours out over own s same she should so some such t than that the
their theirs them then there these they this those through to too under until up very was we were what when where which
while who whom why will with would you your yours 的 了 是 在 和 与 及 也 就 都 而 着 吗 呢 吧 啊 之
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


def terms(text: str) -> list[str]:
    """The terms of `text` in their order; a compound such as `gpt-4o-mini` gives its parts and itself."""
    if text.isascii():
        words: list[str] = _ASCII.findall(text.lower())
    else:
        words = _ANY.findall(normalize("NFKC", text).lower())
    return list(chain.from_iterable(map(_known.__getitem__, words)))


def stem(word: str) -> str:
    """Plural, -ed, -ing and a last e go: `caches`, `cached` and `caching` meet. Words with digits stay as they are."""
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    if word.endswith(("ies", "ied")):
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2 and root[-1] != "e" and any(vowel in root for vowel in "aeiouy"):
            return root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


class _Known(dict[str, tuple[str, ...]]):
    """Terms of each word seen so far. Words repeat, so that most of a text costs one look-up a word."""

    SIZE = 100_000

    def __missing__(self, word: str) -> tuple[str, ...]:
        if _RUN.match(word):
            return _characters(word)  # not remembered: runs of characters hardly ever repeat
        found = _word_terms(word)
        if len(word) <= 40:
            if len(self) >= self.SIZE:
                self.clear()
            self[word] = found
        return found


_known = _Known()


def _characters(run: str) -> tuple[str, ...]:
    return (*[one for one in run if one not in STOP_WORDS], *map(add, run, run[1:]))


def _word_terms(word: str) -> tuple[str, ...]:
    if word in STOP_WORDS:
        return ()
    if _THOUSANDS.fullmatch(word):
        return (word.replace(",", ""),)
    if _DECIMAL.fullmatch(word):
        return (word,)
    parts = [part for part in _PART.split(word) if part]
    if len(parts) < 2:
        return tuple(stem(part) for part in parts)
    if "," in word:  # a list without spaces
        return tuple(stem(part) for part in parts if part not in STOP_WORDS)
    if len(parts[-1]) < 3 and word[-len(parts[-1]) - 1] in "'’":  # user's, don't
        return _word_terms(word[: -len(parts[-1]) - 1])
    return (*(stem(part) for part in parts if part not in STOP_WORDS), word)
