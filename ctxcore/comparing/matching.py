"""What two sequences have in common, in order: the ground of every diff of lines and of words."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

MOST = 20_000  # of a side: the matrix grows with the product. Beyond it, only common head and tail are matched

Step = tuple[bool, range, range]  # whether both say the same; where in the first; where in the second


def steps(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Step]:
    """Stretches that are the same and stretches that are not, in turn, through both to their ends."""
    i = j = 0
    for a, b, size in (*_matches(old, new), (len(old), len(new), 0)):
        if a > i or b > j:
            yield False, range(i, a), range(j, b)
        if size:
            yield True, range(a, a + size), range(b, b + size)
        i, j = a + size, b + size


def _matches(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[int, int, int]]:
    if max(len(old), len(new)) > MOST:
        yield from _ends(old, new)
        return
    from rapidfuzz.distance import Indel  # here, not above: most runs of the core need no diff

    at: tuple[int, int, int] | None = None
    for step in Indel.opcodes(old, new):
        if step.tag != "equal":
            continue
        i, j, size = step.src_start, step.dest_start, step.src_end - step.src_start
        if at and (at[0] + at[2], at[1] + at[2]) == (i, j):
            at = (at[0], at[1], at[2] + size)
            continue
        if at:
            yield at
        at = (i, j, size)
    if at:
        yield at


def _ends(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[int, int, int]]:
    """The common beginning and the common end."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next((at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head)
    if head:
        yield 0, 0, head
    if tail:
        yield len(old) - tail, len(new) - tail, tail
