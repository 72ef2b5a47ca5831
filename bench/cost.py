"""What a build costs beside one pass of the tokenizer over the same texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count as numbers
from statistics import median

from bench import articles, peers
from bench.clock import Run, cpu, medians, settled
from bench.conversation import Message, conversation, texts
from bench.ours import PLAIN_SETUPS, SETUPS, TRUNCATE, Builder, first, scenario

ROUNDS = {100: 15, 1_000: 11, 10_000: 15, 100_000: 2}
FIRSTS = {100: 5, 1_000: 5, 10_000: 2}  # rounds of first builds; of more messages, one setup once
LONG = 10_000  # messages above which a peer runs once
WHOLE = 1_000  # messages up to which article 2's loop is run to its end


@dataclass
class Costs:
    """Of one size: each row as times the floor."""

    messages: int
    tokens: int
    floor: float  # seconds
    ratios: dict[str, float] = field(default_factory=dict)
    estimated: set[str] = field(default_factory=set)  # rows that were not run to the end
    tokenizer_runs: dict[str, int] = field(default_factory=dict)  # by setup: the most in one re-build


_seeds = numbers(1)  # every conversation of a process has texts of its own: none was counted before


def costs(messages: int) -> Costs:
    talk, window = conversation(messages, next(_seeds)), window_for(messages)
    pieces = texts(talk)
    builder = Builder(scenario(talk), window)
    for setup in SETUPS:
        builder.build(setup)
    builder.tokenizer_runs.clear()
    seconds = medians(rebuilds(builder, talk, pieces, window), ROUNDS[messages])
    floor = seconds.pop("floor")
    out = Costs(messages, peers.one_pass(pieces), floor, {row: taken / floor for row, taken in seconds.items()})
    out.tokenizer_runs = builder.tokenizer_runs
    out.ratios |= dict(first_builds(messages, window))
    out.ratios |= dict(peer_runs(talk, window, pieces))
    pops, is_whole = popping(talk, window)
    out.ratios[row := "article 2: assembler, recounts at each pop"] = pops / floor
    if not is_whole:
        out.estimated.add(row)
    return out


def window_for(messages: int) -> int:
    """Half of a short conversation, 32,000 tokens of a long one."""
    return min(32_000, 50 * messages)


def rebuilds(builder: Builder, talk: list[Message], pieces: list[str], window: int) -> dict[str, Run]:
    return {
        "floor": partial(peers.one_pass, pieces),
        **{f"again: {setup}": partial(builder.build, setup) for setup in SETUPS},
        f"again: {TRUNCATE}, every decision told": partial(builder.build_and_tell, TRUNCATE),
        "article 1: select, by len // 3": partial(articles.select, talk, window),
    }


def first_builds(messages: int, window: int) -> Iterator[tuple[str, float]]:
    """Each on texts that no build has seen, beside a pass over the same texts."""
    for setup in PLAIN_SETUPS if messages in FIRSTS else (TRUNCATE,):
        ratios = []
        for _ in range(FIRSTS.get(messages, 1)):
            talk = conversation(messages, next(_seeds))
            with settled():
                taken = cpu(partial(first, talk, setup, window))
                ratios.append(taken / cpu(partial(peers.one_pass, texts(talk))))
        yield f"first: {setup}", median(ratios)


def peer_runs(talk: list[Message], window: int, pieces: list[str]) -> Iterator[tuple[str, float]]:
    """The peers that count, beside passes of their own, as they take long."""
    wrapped, room = peers.as_langchain(talk), window - window // 8
    runs: dict[str, Run] = {
        "floor": partial(peers.one_pass, pieces),
        "LangChain trim_messages": partial(peers.trim, wrapped, room),
        "article 2: compactor and assembler": partial(articles.compile_context, talk, window, peers.count),
    }
    if len(talk) <= LONG:
        runs["LangChain trim_messages, again"] = partial(peers.trim, wrapped, room - 13)
    seconds = medians(runs, 1 if len(talk) > LONG else 3)
    floor = seconds.pop("floor")
    yield from ((row, taken / floor) for row, taken in seconds.items())


def popping(talk: list[Message], window: int) -> tuple[float, bool]:
    """Seconds of article 2's last stage on the whole conversation, and whether it was run to its end."""
    if len(talk) <= WHOLE:
        return cpu(partial(articles.pop_until_it_fits, talk, window, peers.count)), True
    return articles.seconds_to_pop(talk, window, peers.count), False
