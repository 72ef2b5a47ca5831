"""How well a window is filled, over many windows: never over, nothing orphaned, as full as the parts allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bench import articles, peers
from bench.conversation import Message, conversation
from bench.ours import SETUPS, SUMMARIZE, TRUNCATE, scenario
from ctxcore import Scenario, build
from ctxcore.budget import reserve_for
from ctxcore.counting.count import count_request

SHORT = 25  # tokens of a message, about
SMALL = 0.03  # of the room: where no group is larger, the room must be filled to 1 − SMALL
Choose = Callable[[int, int], list[Message]]  # window, room → messages


@dataclass(frozen=True)
class Fit:
    """One window."""

    room: int
    total: int  # tokens by the true count
    everything: int  # tokens that there are
    largest: int  # tokens of the largest group, framing included
    orphans: int

    @property
    def fill(self) -> float:
        """Of the room, or of all that there is where the room is larger."""
        return self.total / min(self.room, self.everything)

    @property
    def is_small(self) -> bool:
        return self.largest <= SMALL * self.room


@dataclass(frozen=True)
class Quality:
    name: str
    fits: tuple[Fit, ...]

    @property
    def over(self) -> int:
        return sum(fit.total > fit.room for fit in self.fits)

    @property
    def orphaned(self) -> int:
        return sum(fit.orphans > 0 for fit in self.fits)

    @property
    def fill(self) -> float:
        return median(fit.fill for fit in self.fits)

    @property
    def small_fill(self) -> float:
        """The worst among the windows beside which every group is small."""
        return min((fit.fill for fit in self.fits if fit.is_small), default=0.0)


def windows(count: int, low: int = 1_000, high: int = 64_000) -> list[int]:
    """`count` windows from `low` to `high` tokens, each larger than the one before by the same factor."""
    return [round(low * (high / low) ** (at / (count - 1))) for at in range(count)]


def qualities(messages: int = 1_000, count: int = 100) -> Iterator[Quality]:
    talk = conversation(messages, 800, SHORT)
    source = scenario(talk)
    wrapped, counter = peers.as_langchain(talk), peers.true_counter(talk)
    chosen: dict[str, Choose] = {
        TRUNCATE: lambda window, room: _ours(source, TRUNCATE, window),
        SUMMARIZE: lambda window, room: _ours(source, SUMMARIZE, window),
        "LangChain trim_messages": lambda window, room: peers.as_openai(peers.trim(wrapped, room, counter)),
        "article 1: select, its cap = the room": lambda window, room: articles.select(talk, room),
        "article 2: compactor and assembler": lambda window, room: articles.compile_context(talk, room, peers.count),
    }
    everything, largest = true_count(talk), largest_group(talk)
    for name, choose in chosen.items():
        fits = []
        for window in windows(count):
            room = window - reserve_for(window, None, 4_096)
            sent = choose(window, room)
            fits.append(Fit(room, true_count(sent), everything, largest, orphans(sent)))
        yield Quality(name, tuple(fits))


def _ours(source: Scenario, setup: str, window: int) -> list[Message]:
    return build(source, model=peers.MODEL, window=window, **SETUPS[setup]).messages


def true_count(messages: Sequence[Message]) -> int:
    """Summed from what would be sent, not from what the pipeline thinks that it is."""
    return count_request({"messages": messages}, peers.MODEL).total


def largest_group(messages: Sequence[Message]) -> int:
    """Tokens of the largest message, or of a call with its result."""
    alone = [true_count([message]) for message in messages]
    return max(size + (alone[at + 1] if messages[at].get("tool_calls") else 0) for at, size in enumerate(alone))


def orphans(messages: Sequence[Message]) -> int:
    """Results without their call before them, and calls without a result: a provider refuses both."""
    open_calls: set[str] = set()
    found = 0
    for message in messages:
        if message["role"] == "tool":
            found += message.get("tool_call_id") not in open_calls
            open_calls.discard(str(message.get("tool_call_id")))
        else:
            open_calls |= {call["id"] for call in message.get("tool_calls") or ()}
    return found + len(open_calls)
