"""What a build costs beside one pass of the tokenizer over the same texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count as numbers
from statistics import median

from bench import articles, peers
from bench.clock import Run, cpu, medians
from bench.conversation import Message, conversation, texts
from bench.ours import SETUPS, TRUNCATE, Builder, first, scenario

ROUNDS = {100: 15, 1_000: 9, 10_000: 7, 100_000: 3}
FIRSTS = {100: 5, 1_000: 5, 10_000: 3}  # rounds of first builds; of more messages, one setup once
SLOW = 10_000  # messages from which peers run once or twice
WHOLE = 1_000  # messages up to which article 2's loop is run to its end


@dataclass
class Costs:
    """Of one size: seconds by row, and what the floor beside them took."""

    messages: int
    tokens: int
    floor: float  # seconds
    ratios: dict[str, float] = field(default_factory=dict)  # row → times the floor
    estimated: set[str] = field(default_factory=set)  # rows that were not run to the end
    tokenizer_runs: dict[str, int] = field(default_factory=dict)


_seeds = numbers(1)  # every conversation of a process has its own texts: none is counted before


def costs(messages: int) -> Costs:
    talk = conversation(messages, next(_seeds))
    pieces = texts(talk)
    builder = Builder(scenario(talk), window := window_for(messages))
    builder.build(TRUNCATE)
    runs: dict[str, Run] = {"floor": lambda: peers.one_pass(pieces)}
    for setup in SETUPS:
        builder.build(setup)
        runs[f"again: {setup}"] = lambda setup=setup: builder.build(setup)
    runs[f"again: {TRUNCATE}, every decision told"] = lambda: builder.build_and_tell(TRUNCATE)
    runs["article 1: select, by len // 3"] = lambda: articles.select(talk, window)
    builder.tokenizer_runs.clear()
    seconds = medians(runs, ROUNDS[messages])
    floor = seconds.pop("floor")
    out = Costs(messages, peers.one_pass(pieces), floor, {row: taken / floor for row, taken in seconds.items()})
    out.tokenizer_runs = builder.tokenizer_runs
    out.ratios |= dict(first_builds(messages, window))
    out.ratios |= dict(peer_runs(talk, window, pieces))
    pops, whole = popping(talk, window)
    out.ratios[row := "article 2: assembler, recounts at each pop"] = pops / floor
    if not whole:
        out.estimated.add(row)
    return out


def window_for(messages: int) -> int:
    """Half of a short conversation, 32,000 tokens of a long one."""
    return min(32_000, 50 * messages)


def first_builds(messages: int, window: int) -> Iterator[tuple[str, float]]:
    """Each on texts that no build has seen, beside a pass over the same texts."""
    for name, setup in SETUPS.items():
        if name != TRUNCATE and messages not in FIRSTS:
            continue
        ratios = []
        for _ in range(FIRSTS.get(messages, 1)):
            talk = conversation(messages, next(_seeds))
            pieces = texts(talk)
            ratios.append(cpu(lambda: first(talk, setup, window)) / cpu(lambda: peers.one_pass(pieces)))
        yield f"first: {name}", median(ratios)


def peer_runs(talk: list[Message], window: int, pieces: list[str]) -> Iterator[tuple[str, float]]:
    """The peers that count: each beside passes of its own, as they take long."""
    wrapped = peers.as_langchain(talk)
    rounds = 1 if len(talk) > SLOW else 2 if len(talk) == SLOW else 5
    floor, room = "floor", window - window // 8
    runs: dict[str, Run] = {
        floor: lambda: peers.one_pass(pieces),
        "LangChain trim_messages": lambda: peers.trim(wrapped, room),
        "LangChain trim_messages, again": lambda: peers.trim(wrapped, room - 13),
        "article 2: compactor and assembler": lambda: articles.compile_context(talk, window, peers.count),
    }
    seconds = medians(runs, rounds)
    for row, taken in seconds.items():
        if row != floor:
            yield row, taken / seconds[floor]


def popping(talk: list[Message], window: int) -> tuple[float, bool]:
    """Seconds of article 2's last stage on the whole conversation, and whether it was run to its end."""
    if len(talk) <= WHOLE:
        return cpu(lambda: articles.pop_until_it_fits(talk, window, peers.count)), True
    pops = round(len(talk) * (1 - window / peers.count(str(talk))))
    return articles.seconds_to_pop(talk, pops, cpu, peers.count), False
