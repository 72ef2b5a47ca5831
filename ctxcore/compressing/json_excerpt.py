"""JSON that is too long, as JSON: the records, members and sentences that serve the query or hold most facts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ctxcore.compressing.coverage import covering
from ctxcore.compressing.json_text import dump, json_value
from ctxcore.compressing.passages import passage_of
from ctxcore.compressing.ranking import Ranking, ranked
from ctxcore.compressing.sentences import sentences
from ctxcore.compressing.tables import GAP, shaped
from ctxcore.services import Counter

WHOLE = 400  # characters of a member that is not taken apart
PROBES = 12  # cuts of the order that are tried
ALONE = 24  # pieces that are tried alone where the first of the order does not fit
EMPTY: tuple[object, ...] = ({}, [], "")

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A member that stays or goes whole; or, of a long text, a sentence: then `sentence` is its place."""

    path: Path
    text: str
    sentence: int = -1


def excerpt(text: str, query: str, max_tokens: int, counter: Counter, options: Ranking, focus: float) -> str:
    """At most `max_tokens`, always JSON, `[…]` where something is missing; "" where not even a word fits."""
    value = json_value(text)
    pieces, order = _ordered(text, query, options, focus)
    written: dict[int, str] = {}

    def fits(count: int) -> bool:
        written[count] = dump(shaped(_pruned(value, (), [pieces[at] for at in order[:count]])))
        return counter.count(written[count]) <= max_tokens

    best = _most(len(order), fits, max_tokens, sum(len(piece.text) for piece in pieces))
    if best:
        return written[best]
    for at in order[:ALONE]:
        alone = dump(shaped(_pruned(value, (), [pieces[at]])))
        if counter.count(alone) <= max_tokens:
            return alone
    return _word(pieces[order[0]].text if order else dump(value), max_tokens, counter)


def _most(pieces: int, fits: Any, max_tokens: int, characters: int) -> int:
    """The largest number of pieces that was found to fit, 0 if none; the first guess by the characters there are."""
    low, high = 0, pieces
    guess = max(1, min(pieces, round(pieces * 4 * max_tokens / max(1, characters))))
    for _ in range(PROBES):
        if low >= high:
            break
        if fits(guess):
            low = guess
        else:
            high = guess - 1
        guess = (low + high + 1) // 2
    return low


def _word(text: str, max_tokens: int, counter: Counter) -> str:
    """The beginning of a text as a JSON string."""
    for room in range(max_tokens - 1, 0, -1):
        head = counter.cut(text, room).rstrip()
        if head and counter.count(said := dump(f"{head}…")) <= max_tokens:
            return said
    return ""


def _pieces(value: Any, path: Path) -> Iterator[Piece]:
    if isinstance(value, str) and len(value) > WHOLE:
        yield from (Piece(path, one, at) for at, one in enumerate(sentences(value)) if one.strip())
    elif not isinstance(value, dict | list) or (path and len(written := dump(value)) <= WHOLE):
        if value is not None and value not in EMPTY:
            name = next((str(part) for part in reversed(path) if isinstance(part, str)), "")
            yield Piece(path, f"{name}: {written if isinstance(value, dict | list) else value}")
    else:
        inner: Iterable[tuple[str | int, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in inner:
            yield from _pieces(one, (*path, key))


def _pruned(value: Any, path: Path, kept: Sequence[Piece]) -> Any:
    """The value with those pieces alone."""
    whole = {piece.path for piece in kept if piece.sentence < 0}
    spoken: dict[Path, set[int]] = {}
    for piece in kept:
        if piece.sentence >= 0:
            spoken.setdefault(piece.path, set()).add(piece.sentence)
    above = {path[:end] for path in (*whole, *spoken) for end in range(len(path))}

    def walk(one: Any, at: Path) -> Any:
        if at in whole:
            return one
        if at in spoken:
            return _said(one, spoken[at])
        if isinstance(one, dict):
            return {key: walk(inner, (*at, key)) for key, inner in one.items() if there((*at, key))}
        left = [walk(inner, (*at, key)) for key, inner in enumerate(one) if there((*at, key))]
        return left if len(left) == len(one) else [*left, GAP]

    def there(at: Path) -> bool:
        return at in whole or at in spoken or at in above

    return walk(value, path) if above else type(value)()


def _said(text: str, kept: set[int]) -> str:
    out: list[str] = []
    for at, sentence in enumerate(sentences(text)):
        if at in kept:
            out.append(sentence)
        elif out and out[-1] != f" {GAP} ":
            out.append(f" {GAP} ")
    return "".join(out).strip()


@lru_cache(maxsize=128)
def _ordered(text: str, query: str, options: Ranking, focus: float) -> tuple[tuple[Piece, ...], tuple[int, ...]]:
    """All pieces, and their places, best first: `focus` of the characters to the query, the others to facts."""
    pieces = tuple(_pieces(json_value(text), ()))
    read = passage_of([piece.text for piece in pieces])
    order, is_asked = ranked(read, query, options)
    asked = deque(order if is_asked else ())
    facts = deque(covering(read, [at for at in order if read.facts[at]], set(), lambda at: True))
    found: dict[int, None] = {}
    spent = {True: 0.0, False: 0.0}
    while asked and facts:
        is_for_query = spent[True] <= focus * (spent[True] + spent[False])
        at = (asked if is_for_query else facts).popleft()
        spent[is_for_query] += len(pieces[at].text) if at not in found else 0
        found[at] = None
    return pieces, tuple(dict.fromkeys((*found, *facts, *order)))
