"""What is private in a text: found once for each text, and remembered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ctxcore.guarding.contacts import emails, phones
from ctxcore.guarding.match import KINDS, Match, apart
from ctxcore.guarding.numbers import cards, identities
from ctxcore.guarding.secrets import secrets
from ctxcore.memo import Memo

_DIGITS = re.compile(r"\d[ ().-]{0,2}\d[ ().-]{0,2}\d[ ().-]{0,2}\d")


@dataclass(frozen=True)
class Finder:
    """`regions`: countries whose telephone numbers are known without their code. `words`: of a policy, in any case."""

    kinds: tuple[str, ...] = KINDS
    regions: tuple[str, ...] = ("CN", "US")
    words: tuple[str, ...] = ()

    def find(self, text: str) -> tuple[Match, ...]:
        """Matches of these kinds, none of which overlap, in the order of the text."""
        known = self._known
        found = known.young.get(text)
        if found is None and (found := known.get(text, len(text))) is None:
            found = apart(self._all(text))
            known.put(text, found, len(text))
        return found

    @cached_property
    def _known(self) -> Memo[str, tuple[Match, ...]]:
        return _memo(self.kinds, self.regions, self.words)

    def _all(self, text: str) -> list[Match]:
        found = [*emails(text), *secrets(text)]
        if _DIGITS.search(text):
            found += [*phones(text, self.regions), *identities(text), *cards(text)]
        if self._policy:
            found += [Match("word", *one.span()) for one in self._policy.finditer(text)]
        return [match for match in found if match.kind in self.kinds]

    @cached_property
    def _policy(self) -> re.Pattern[str] | None:
        """Whole words where words have borders; Chinese ones wherever they stand."""
        if not self.words:
            return None
        longest = sorted(self.words, key=len, reverse=True)
        each = (rf"\b{re.escape(word)}\b" if word.isascii() and word.isalnum() else re.escape(word) for word in longest)
        return re.compile("|".join(each), re.I)


@lru_cache(maxsize=8)
def _memo(*options: tuple[str, ...]) -> Memo[str, tuple[Match, ...]]:
    """Shared by all finders with these options, one build after the other."""
    return Memo(64_000_000)
