"""Findings about tokens that buy nothing: texts said twice, results that nobody uses, base64, escaped characters."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ctxcore.agent.fidelity import facts_of
from ctxcore.findings.finding import Finding
from ctxcore.findings.likeness import alike
from ctxcore.item import Item, Source, Text
from ctxcore.trace import Trace

WORTH = 20  # tokens below which saying something twice does no harm
NEAR, NEAR_WORTH = 0.8, 60  # share of the shorter text; tokens from which on it matters
LARGE = 200  # tokens of a result that is worth asking after
LATER = 2  # answers behind a result, before it can be called unused
FACTS = 4  # that a result must hold, so that their absence says something
RETOLD = (Source.STATE, Source.SUMMARY)  # say again what others say: that is what they are for
BASE64 = re.compile(r"[A-Za-z0-9+/]{200,}={0,2}")
ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")


def said_twice(trace: Trace) -> Iterator[Finding]:
    """Items of the payload that say the same, word for word, whatever their sources. That a call was made again is
    another finding."""
    same: dict[str, list[Item]] = defaultdict(list)
    for item in _worded(trace):
        if item.tokens >= WORTH and not item.calls:
            same[" ".join(item.text.split())].append(item)
    groups = [
        items for items in same.values() if len(items) > 1 and not all(item.result and item.group for item in items)
    ]
    if groups:
        again = [item for items in groups for item in items[1:]]
        yield _waste("duplicate", again, [items[0] for items in groups], first=groups[0][0].id)


def nearly_twice(trace: Trace) -> Iterator[Finding]:
    """Items that share most of their words in the same order: chunks of one text, or two versions of it."""
    worded = (item for item in _worded(trace) if item.source not in RETOLD and not item.calls)
    items = {item.id: item for item in worded if item.tokens >= NEAR_WORTH}
    texts = {key: " ".join(item.text.split()) for key, item in items.items()}
    pairs = [pair for pair in alike(texts, NEAR) if texts[pair[0]] != texts[pair[1]]]
    if pairs:
        again = {min((first, second), key=lambda key: items[key].tokens) for first, second, _ in pairs}
        first, second, share = max(pairs, key=lambda pair: pair[2])
        hit = [items[key] for key in items if key in again]
        yield _waste("near", hit, first=first, second=second, share=round(100 * share))


def repeated_system(trace: Trace) -> Iterator[Finding]:
    """A part or paragraph of the instructions that stands there again, in them or in another message."""
    count = trace.counter.count
    system = [item for item in trace.final.items if item.source is Source.SYSTEM]
    blocks: dict[str, list[Item]] = defaultdict(list)
    for item in system:
        for block in _blocks(item):
            blocks[block].append(item)
    again = {block: len(items) - 1 for block, items in blocks.items()}
    long = [block for block in again if count(block) >= 2 * WORTH]
    for item in _worded(trace):
        if item.source is not Source.SYSTEM and item.tokens >= 2 * WORTH:
            for block in long:
                again[block] += item.text.count(block)
    told = {block: times for block, times in again.items() if times and count(block) >= WORTH // 2}
    if told:
        facts = {
            "count": sum(told.values()),
            "tokens": sum(times * count(block) for block, times in told.items()),
            "first": " ".join(max(told, key=count).split())[:60],
        }
        ids = tuple(item.id for item in system)
        yield Finding("find-waste-system", "warning", facts, ids, "find-remedy-waste-system")


def unused_results(trace: Trace) -> Iterator[Finding]:
    """Long results of whose facts nothing that was said or called later holds any."""
    items = [item for item in trace.final.items if not item.is_media]
    said = [(at, item) for at, item in enumerate(items) if item.role == "assistant"]
    unused: list[Item] = []
    for at, item in enumerate(items):
        later = [one for place, one in said if place > at]
        if item.source is Source.TOOL and item.group and item.tokens >= LARGE and len(later) >= LATER:
            facts = [fact for fact in facts_of(item.text).all if len(fact) > 1]
            words = "\n".join(one.text for one in later)
            if len(facts) >= FACTS and not any(fact in words for fact in facts):
                unused.append(item)
    if unused:
        yield _waste("unused", unused, severity="info", first=unused[0].name or unused[0].id)


def encoded(trace: Trace) -> Iterator[Finding]:
    """Bytes written as letters: a model reads them as text, and understands nothing."""
    count, hit, tokens = trace.counter.count, list[Item](), 0
    for item in _worded(trace):
        found = [run for run in BASE64.findall(item.text) if _is_mixed(run)] if len(item.text) >= 200 else []
        if found:
            hit.append(item)
            tokens += sum(count(run) for run in found)
    if hit:
        facts = {"count": len(hit), "tokens": tokens, "first": hit[0].id}
        ids = tuple(item.id for item in hit)
        yield Finding("find-waste-base64", "warning", facts, ids, "find-remedy-waste-base64")


def escaped(trace: Trace) -> Iterator[Finding]:
    """Characters written as \\uXXXX, as JSON does where it must be ASCII."""
    count, hit, tokens = trace.counter.count, list[Item](), 0
    for item in _worded(trace):
        if "\\u" in item.text and ESCAPES.search(item.text):
            saved = count(item.text) - count(ESCAPES.sub(_plain, item.text))
            if saved >= WORTH // 2:
                hit.append(item)
                tokens += saved
    if hit:
        facts = {"count": len(hit), "tokens": tokens, "first": hit[0].id}
        ids = tuple(item.id for item in hit)
        yield Finding("find-waste-escapes", "warning", facts, ids, "find-remedy-waste-escapes")


OF_WASTE = (said_twice, nearly_twice, repeated_system, unused_results, encoded, escaped)


def _worded(trace: Trace) -> list[Item]:
    return [item for item in trace.final.items if not item.is_media]


def _waste(
    kind: str, hit: Sequence[Item], beside: Sequence[Item] = (), severity: str = "warning", **facts: str | int
) -> Finding:
    told = {"count": len(hit), "tokens": sum(item.tokens for item in hit), **facts}
    ids = tuple(item.id for item in (*beside, *hit))
    return Finding(f"find-waste-{kind}", severity, told, ids, f"find-remedy-waste-{kind}")


def _blocks(item: Item) -> list[str]:
    """The parts that a message came in; a single one falls into its paragraphs."""
    parts = [part.text.strip() for part in item.parts if isinstance(part, Text)]
    blocks = parts if len(parts) > 1 else [block.strip() for part in parts for block in part.split("\n\n")]
    return [block for block in blocks if block]


def _is_mixed(run: str) -> bool:
    """Letters of both kinds and digits, and no one of them alone: neither a word nor a row of dashes."""
    return (
        len(set(run)) > 16 and any(map(str.islower, run)) and any(map(str.isupper, run)) and any(map(str.isdigit, run))
    )


def _plain(found: re.Match[str]) -> str:
    try:
        return str(json.loads(f'"{found[0]}"'))
    except ValueError:
        return found[0]
