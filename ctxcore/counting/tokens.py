"""Token counts, remembered: a text is tokenized once in the life of the process, after that its count is a look-up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate
from math import ceil

from ctxcore.counting.encodings import BLANKS, encoding, fingerprint, is_available, repaired
from ctxcore.counting.models import model as find_model
from ctxcore.counting.store import Store
from ctxcore.services import Counter

_BLANK, _SPACE = frozenset(BLANKS), frozenset(BLANKS + "\r\n")
_AHEAD = 32  # code points beyond the n-th token that may still belong to n tokens
_BACK = 2000  # code points to look back for a place where tokens certainly end


class TokenCounter:
    """Implements `ctxcore.services.Counter`; thread-safe."""

    def __init__(self, store: Store, exactness: str) -> None:
        self.name, self.exactness = store.name, exactness
        self.fingerprint = fingerprint(store.name)
        self._store, self._counts = store, store.counts

    @property
    def calls(self) -> int:
        """How often the tokenizer itself has run for this encoding in this process."""
        return self._store.calls

    def count(self, text: str) -> int:
        found = self._counts.young.get(text)
        if found is None:
            found = self._counts.get(text, len(text))
        if found is None:
            found = self._store.count(text) if text else 0
            self._counts.put(text, found, len(text))
        return found

    def learn(self, texts: Iterable[str]) -> None:
        """The texts will be counted: where many at once are counted sooner than one by one, they are."""
        self._store.learn(texts)

    def cut(self, text: str, tokens: int) -> str:
        """The longest prefix of `text` that is at most `tokens` long and ends at a code point."""
        if tokens <= 0:
            return ""
        if self.count(text) <= tokens:
            return text
        key = (text, tokens)
        found = self._store.cuts.get(key, len(text))
        if found is None:
            found = self._cut(text, tokens)
            self._store.cuts.put(key, found, len(text))
            self.count(found)
        return found

    def _cut(self, text: str, tokens: int) -> str:
        head = repaired(text[: tokens * 16 + 4 * _BACK])
        ids = self._store.encode(head)
        if len(ids) <= tokens:  # rare: very long tokens
            head = repaired(text)
            ids = self._store.encode(head)
        # A token may end within a code point: what is left of it is not counted in.
        end = len(encoding(self.name).decode_bytes(ids[:tokens]).decode("utf-8", "ignore"))
        end = self._settle(head, end, tokens)
        return text[: _original_length(text, end)] if head[:end] != text[:end] else text[:end]

    def _settle(self, text: str, end: int, tokens: int) -> int:
        """The largest place near `end` before which `text` has at most `tokens` tokens.

        Counts do not grow evenly: a prefix ends words early, so it can have fewer or more tokens than it has ids in
        the whole text. Only what lies behind the last sure token end is counted again and again.
        """
        floor = max(1, end - _BACK)
        start = next((at for at in range(end - 1, floor, -1) if splits(text[at - 1], text[at])), 0)
        ahead = _AHEAD if start or end <= _BACK else 0
        before = len(self._store.encode(text[:start]))
        for stop in range(min(len(text), end + ahead), start, -1):
            if before + len(self._store.encode(text[start:stop])) <= tokens:
                return stop
        return start


class ScaledCounter(TokenCounter):
    """Stands in for a tokenizer that is not public: each token of another one counts as a little more than one."""

    def __init__(self, plain: TokenCounter, scale: float) -> None:
        super().__init__(plain._store, plain.exactness)
        self.plain, self.scale = plain, scale
        self.name = f"{plain.name} × {scale:g}"
        self.fingerprint = f"{plain.fingerprint}×{scale:g}"

    def scaled(self, tokens: int) -> int:
        return ceil(round(tokens * self.scale, 6))

    def count(self, text: str) -> int:
        return self.scaled(self.plain.count(text))

    def cut(self, text: str, tokens: int) -> str:
        return self.plain.cut(text, int(tokens / self.scale + 1e-9))


def _original_length(text: str, repaired_length: int) -> int:
    """Code units of `text` that make up the first `repaired_length` characters of its repaired form."""
    at = 0
    for _ in range(repaired_length):
        is_pair = "\ud800" <= text[at] <= "\udbff" and "\udc00" <= text[at + 1 : at + 2] <= "\udfff"
        at += 2 if is_pair else 1
    return at


def counter_for(model: str) -> TokenCounter:
    """The counter that a model's texts are counted by; for an unknown model o200k_base, exactness `fallback`."""
    known = find_model(model)
    if known.own and is_available(known.own):
        return _counter(known.own, "exact", 1.0)
    return _counter(known.encoding, known.exactness, known.scale)


@cache
def _counter(name: str, exactness: str, scale: float) -> TokenCounter:
    plain = TokenCounter(_store(name), exactness)
    return plain if scale == 1 else ScaledCounter(plain, scale)


@cache
def _store(name: str) -> Store:
    return Store(name)


def splits(left: str, right: str) -> bool:
    """True if a token of o200k_base or cl100k_base always ends between these two characters, whatever surrounds them.

    Then the counts of the two sides add up exactly.
    """
    if left in "\r\n":
        return right not in _SPACE and right != "/"
    if left in _BLANK:
        return False
    return right in _BLANK or (right in "\r\n" and left.isalnum())


def count_joined(counter: Counter, pieces: Sequence[str]) -> tuple[int, ...]:
    """Tokens of each piece of one text. Their sum is exactly `counter.count("".join(pieces))`.

    Pieces between which a token always ends are counted alone. Others are counted together, and the count is shared
    out among them in proportion to their own.
    """
    if isinstance(counter, ScaledCounter):
        ends = [counter.scaled(end) for end in accumulate(count_joined(counter.plain, pieces))]
        return tuple(end - start for start, end in zip([0, *ends], ends, strict=False))
    counts: list[int] = []
    run: list[str] = []
    last = ""
    for piece in pieces:
        if last and piece and splits(last, piece[0]):
            counts += _shared(counter, run)
            run = []
        run.append(piece)
        last = piece[-1:] or last
    return (*counts, *_shared(counter, run))


def _shared(counter: Counter, run: Sequence[str]) -> Sequence[int]:
    own = [counter.count(piece) for piece in run]
    if sum(map(bool, own)) <= 1:
        return own
    total, whole = counter.count("".join(run)), sum(own)
    ends = [total * end // whole for end in accumulate(own)]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]
