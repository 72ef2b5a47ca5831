"""What twice the messages cost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from bench.clock import Run, cpu, medians, settled
from bench.conversation import conversation
from bench.ours import PLAIN_SETUPS, TRUNCATE, Builder, first, scenario

SIZES = (12_500, 25_000, 50_000, 100_000)
SHORT = 20  # tokens of a message: a re-build does not read the texts
ROUNDS = 3


@dataclass(frozen=True)
class Scaling:
    """CPU seconds by size."""

    setup: str
    seconds: dict[int, float]

    @property
    def worst(self) -> float:
        """The most that a doubling of the messages cost."""
        return max(more / fewer for fewer, more in pairwise(self.seconds.values()))


def rebuilds(sizes: tuple[int, ...] = SIZES, rounds: int = ROUNDS) -> list[Scaling]:
    """At about half of the conversation, so that what stays grows as what goes does."""
    talks = {size: conversation(size, 900 + at, SHORT) for at, size in enumerate(sizes)}
    builders = {size: Builder(scenario(talk), half(size)) for size, talk in talks.items()}
    out = []
    for setup in PLAIN_SETUPS:
        runs: dict[str, Run] = {str(size): partial(builder.build, setup) for size, builder in builders.items()}
        medians(runs, 1)  # the first build is another matter
        out.append(Scaling(setup, {int(size): taken for size, taken in medians(runs, rounds).items()}))
    return out


def first_builds(sizes: tuple[int, ...] = SIZES, rounds: int = 2) -> Scaling:
    """Of texts that were never counted; the best of `rounds`."""
    seconds: dict[int, float] = {}
    for at, size in enumerate(sizes):
        talks = [conversation(size, 950 + 10 * at + again, SHORT) for again in range(rounds)]
        with settled():
            seconds[size] = min(cpu(partial(first, talk, TRUNCATE, half(size))) for talk in talks)
    return Scaling("first build", seconds)


def half(messages: int) -> int:
    """A window, in tokens, of about half of a conversation of short messages."""
    return 12 * messages
