"""What twice the messages cost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from bench.clock import Run, cpu, medians
from bench.conversation import conversation
from bench.ours import SETUPS, TRUNCATE, Builder, first, scenario

SIZES = (12_500, 25_000, 50_000, 100_000)
SHORT = 20  # tokens of a message: a re-build does not read the texts
ROUNDS = 5


@dataclass(frozen=True)
class Scaling:
    """`seconds` by size; `worst` is the most that a doubling of the messages cost."""

    setup: str
    seconds: dict[int, float]

    @property
    def worst(self) -> float:
        return max(more / fewer for fewer, more in pairwise(self.seconds.values()))


def rebuilds(sizes: tuple[int, ...] = SIZES, rounds: int = ROUNDS) -> list[Scaling]:
    """Of each setup, at about half of the conversation, so that what stays grows as what goes does."""
    builders = {size: Builder(scenario(conversation(size, 900 + at, SHORT)), 12 * size) for at, size in enumerate(sizes)}
    for builder in builders.values():
        for setup in SETUPS:
            builder.build(setup)
    out = []
    for setup in SETUPS:
        runs: dict[str, Run] = {str(size): lambda b=b, setup=setup: b.build(setup) for size, b in builders.items()}
        out.append(Scaling(setup, {int(size): taken for size, taken in medians(runs, rounds).items()}))
    return out


def first_builds(sizes: tuple[int, ...] = SIZES) -> Scaling:
    """Of texts that were never counted; the first sizes are measured twice, as they take little."""
    seconds: dict[int, float] = {}
    for at, size in enumerate(sizes):
        talks = [conversation(size, 950 + 10 * at + again, SHORT) for again in range(2 if size < sizes[-1] else 1)]
        seconds[size] = min(cpu(lambda talk=talk: first(talk, SETUPS[TRUNCATE], 12 * size)) for talk in talks)
    return Scaling("first build", seconds)
