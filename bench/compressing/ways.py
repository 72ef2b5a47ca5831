"""Ways to shorten a text, ours and those to compare with."""

from __future__ import annotations

import random
from collections.abc import Callable

from bench.compressing.cases import Case
from ctxcore.compressing.extractive import Extractive
from ctxcore.compressing.sentences import sentences
from ctxcore.compressing.structure import folded
from ctxcore.counting.tokens import counter_for

COUNTER = counter_for("gpt-4o")
Way = Callable[[Case, int], str]


def lead(case: Case, room: int) -> str:
    return COUNTER.cut(case.text, room)


def head_and_tail(case: Case, room: int) -> str:
    head = COUNTER.cut(case.text, room // 2)
    tail = case.text[-len(head) :]
    while COUNTER.count(head + tail) > room:
        tail = tail[max(1, len(tail) // 50) :]
    return head + tail if tail else head


def at_random(case: Case, room: int) -> str:
    found = sentences(case.text)
    kept: set[int] = set()
    left = room
    for at in random.Random(len(case.text)).sample(range(len(found)), len(found)):
        cost = COUNTER.count(found[at])
        if cost <= left:
            kept.add(at)
            left -= cost
    return "".join(found[at] for at in sorted(kept))


def ours(case: Case, room: int) -> str:
    return Extractive().compress(case.text, query=case.query, max_tokens=room, counter=COUNTER, source=case.source)


def ours_without_query(case: Case, room: int) -> str:
    return Extractive().compress(case.text, query="", max_tokens=room, counter=COUNTER, source=case.source)


def query_alone(case: Case, room: int) -> str:
    return Extractive(focus=1.0).compress(case.text, query=case.query, max_tokens=room, counter=COUNTER)


def lossless(case: Case, room: int) -> str:
    return folded(case.text, COUNTER)


WAYS: dict[str, Way] = {
    "lead": lead,
    "head and tail": head_and_tail,
    "random sentences": at_random,
    "ours, all for the query": query_alone,
    "ours, no query: facts alone": ours_without_query,
    "**ours**": ours,
}
