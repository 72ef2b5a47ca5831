"""Every item of a run with its way through the stages, the decisions, the reasons, and its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ctxcore.comparing.fates import fates
from ctxcore.decision import Decision
from ctxcore.export import veiled
from ctxcore.reporting.markup import Markup, joined, tag
from ctxcore.reporting.palette import ACTIONS
from ctxcore.reporting.texts import cut
from ctxcore.trace import Trace
from ctxcore.words import sentence

MOST = 5_000  # items; a page with more is no page any more


@dataclass(frozen=True, slots=True)
class Told:
    """What a report says of one item. `texts`: as it came, and as it left where that differs."""

    id: str
    source: str
    end: str
    way: tuple[tuple[str, Decision], ...]  # stage, decision
    texts: tuple[str, ...]
    why: Decision | None = None  # the decision that tells most


def told(trace: Trace) -> list[Told]:
    """In the order of their coming; summaries and other derived items behind those that came in."""
    ends = fates(trace)
    ways: dict[str, list[tuple[str, Decision]]] = {}
    for snapshot in trace.snapshots:
        for key, decisions in snapshot.by_item.items():
            ways.setdefault(key, []).extend((snapshot.name, d) for d in decisions)
    texts: dict[str, dict[str, None]] = {}
    sources: dict[str, str] = {item.id: str(item.source) for item in trace.inputs}
    for snapshot, veil in veiled(trace):
        for item in snapshot.items:
            sources.setdefault(item.id, str(item.source))
            texts.setdefault(item.id, {})[veil.item(item).text] = None
    found = []
    for key, source in sources.items():
        end, way = ends.get(key), tuple(ways.get(key, ()))
        why = end.decision if end else way[0][1] if way else None
        found.append(Told(key, source, end.end if end else "made", way, _both(texts.get(key, {})), why))
    return found[:MOST]


def _both(texts: Mapping[str, None]) -> tuple[str, ...]:
    every = tuple(texts)
    return every if len(every) < 2 else (every[0], every[-1])


def ledger(trace: Trace, words: Mapping[str, str], lang: str, room: int) -> Markup:
    """At most about `room` bytes: what the rows leave is for the texts."""
    items = told(trace)
    bare = {one.id: _row(one, words, lang) for one in items}
    left = room - sum(len(markup.encode()) for markup in bare.values()) - 120 * len(items)
    texts = {f"{at} {one.id}": text for one in items for at, text in enumerate(one.texts)}
    shown = cut(texts, max(0, left))
    rows = (_item(one, bare[one.id], _texts(one, texts, shown, words)) for one in items)
    count = tag("output", f"{len(items):,}", id="count")
    head = tag("h2", words["ledger"], " ", tag("small", count, f" / {len(items):,}"))
    more = len(trace.inputs) - len(items)
    note = tag("p", words["more"].format(count=more), class_="quiet") if more > 0 else joined()
    return tag("section", head, _filters(items, words), note, tag("div", *rows, id="items"))


def _filters(items: list[Told], words: Mapping[str, str]) -> Markup:
    def choice(name: str, values: list[str], prefix: str) -> Markup:
        every = tag("option", words[f"any.{name}"], value="")
        return tag(
            "select",
            every,
            *(tag("option", words[f"{prefix}.{one}"], value=one) for one in values),
            id=name,
            aria_label=words[f"any.{name}"],
        )

    sources = list(dict.fromkeys(one.source for one in items))
    ends = [end for end in ("whole", "shorter", "merged", "lost", "made") if any(one.end == end for one in items)]
    find = tag("input", type="search", id="find", placeholder=words["find"], aria_label=words["find"])
    return tag("div", find, choice("source", sources, "source"), choice("end", ends, "end"), class_="filters")


def _item(one: Told, row: Markup, texts: Markup) -> Markup:
    return tag("details", row, texts, data_s=one.source, data_e=one.end)


def _row(one: Told, words: Mapping[str, str], lang: str) -> Markup:
    """The line that always shows, and the decisions behind it."""
    marks = (tag("i", ACTIONS[d.action].glyph, class_=f"a-{d.action}") for _, d in one.way)
    tokens = f"{one.way[0][1].after or one.way[0][1].before:,} → {one.way[-1][1].after:,}" if one.way else ""
    why = sentence(one.why.rule, one.why.facts, lang) if one.why else ""
    line = tag(
        "summary",
        tag("i", class_=f"s-{one.source}"),
        tag("b", one.id),
        tag("span", *marks, class_="way"),
        tag("span", tokens, class_="n"),
        tag("span", words[f"end.{one.end}"], class_=f"e-{one.end}"),
        tag("span", why, class_="why"),
    )
    steps = (
        tag(
            "li",
            tag("b", stage),
            f" {d.before:,} → {d.after:,} ",
            tag("code", d.rule),
            " ",
            sentence(d.rule, d.facts, lang),
        )
        for stage, d in one.way
    )
    return joined(line, tag("ol", *steps))


def _texts(one: Told, whole: Mapping[str, str], shown: Mapping[str, str], words: Mapping[str, str]) -> Markup:
    parts = []
    for at in range(len(one.texts)):
        key = f"{at} {one.id}"
        left = len(whole[key]) - len(shown[key])
        parts.append(tag("h4", words["text.after"]) if at else joined())
        parts.append(tag("pre", shown[key], dir="auto"))
        parts.append(tag("p", words["cut"].format(count=left), class_="quiet") if left else joined())
    return joined(*parts)
