"""The top of a report: the numbers, the window as a bar, the facts that must stay, the stages, the limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ctxcore.explaining.why import lights_of
from ctxcore.reporting.markup import Markup, joined, short, tag
from ctxcore.reporting.palette import ACTIONS
from ctxcore.running import Snapshot
from ctxcore.trace import Trace
from ctxcore.words import sentence

BAR = 1000  # units


def numbers(trace: Trace, words: Mapping[str, str]) -> Markup:
    total, room = trace.totals.total, trace.budget.room
    fits = words["fits"] if trace.fits else words["over"].format(over=total - room)
    return tag(
        "section",
        tag(
            "p",
            tag("b", f"{total:,}"),
            " ",
            words["of_room"].format(room=room, share=total / max(1, room)),
            class_="big",
        ),
        tag("p", tag("mark", fits, class_="good" if trace.fits else "bad"), _exactness(trace, words)),
        _bar(trace, words),
        _facts(trace, words),
        class_="numbers",
    )


def _exactness(trace: Trace, words: Mapping[str, str]) -> Markup:
    counter = trace.counter
    told = [f"{counter.name} {words[f'exact.{counter.exactness}']}"]
    told += [words["estimated"].format(parts=", ".join(trace.estimated))] if trace.estimated else []
    return tag("span", " · ".join(told), class_="quiet")


def _bar(trace: Trace, words: Mapping[str, str]) -> Markup:
    budget, totals = trace.budget, trace.totals
    sizes = {"tools": totals.tools, "overhead": max(0, totals.overhead)}
    for item in trace.final.items:
        sizes[str(item.source)] = sizes.get(str(item.source), 0) + item.tokens
    sizes |= {"free": max(0, budget.room - totals.total), "reserve": budget.reserve}
    whole, at, parts = max(1, sum(sizes.values())), 0.0, list[Markup]()
    for name, tokens in sizes.items():
        width = BAR * tokens / whole
        told = tag("title", f"{words[f'source.{name}']}: {tokens:,}")
        parts.append(tag("rect", told, x=short(at), y=0, width=short(width), height=26, class_=f"s-{name}"))
        at += width
    label = words["window"].format(window=budget.window, reserve=budget.reserve)
    drawn = tag(
        "svg", *parts, viewBox=f"0 0 {BAR} 26", class_="bar", preserveAspectRatio="none", role="img", aria_label=label
    )
    keys = [(name, tokens) for name, tokens in sizes.items() if tokens]
    entries = (tag("span", tag("i", class_=f"s-{n}"), f"{words[f'source.{n}']} {tokens:,}") for n, tokens in keys)
    return joined(drawn, tag("p", *entries, class_="keys"), tag("p", label, class_="quiet"))


def _facts(trace: Trace, words: Mapping[str, str]) -> Markup:
    wanted = trace.scenario.must_keep
    ends = [(text, lights_of(trace, text)[-1][1]) for text in wanted]
    rows = (tag("li", tag("mark", words[f"fact.{end}"], class_=f"f-{end}"), f" {text}") for text, end in ends)
    return joined(tag("h3", words["facts"]), tag("ul", *rows, class_="facts")) if wanted else joined()


def stages(trace: Trace, words: Mapping[str, str], lang: str) -> Markup:
    head = ("stage", "items", "tokens", "did", "seconds")
    rows = [tag("tr", *(tag("th", words[f"column.{name}"]) for name in head))]
    for snapshot in trace.snapshots:
        did = Counter(d.action for d in snapshot.decisions if d.rule != "untouched")
        marks = (
            tag("span", tag("i", ACTIONS[a].glyph, class_=f"a-{a}"), f" {n:,} {words[f'action.{a}']}")
            for a, n in did.items()
        )
        skipped = (
            tag("span", sentence(snapshot.skipped, {}, lang), class_="quiet") if snapshot.skipped else joined(*marks)
        )
        cells = (
            tag("td", tag("b", snapshot.name)),
            tag("td", f"{len(snapshot.before.items):,} → {len(snapshot.items):,}", class_="n"),
            tag("td", f"{snapshot.tokens_before:,} → {snapshot.tokens_after:,}", class_="n"),
            tag("td", skipped, _problems(trace, snapshot, lang), class_="did"),
            tag("td", f"{snapshot.seconds:.3f}", class_="n"),
        )
        rows.append(tag("tr", *cells))
    return tag("section", tag("h2", words["stages"]), tag("div", tag("table", *rows), class_="wide"))


def _problems(trace: Trace, snapshot: Snapshot, lang: str) -> Markup:
    found = trace.problems_of(snapshot)
    return joined(*(tag("p", sentence(p.rule, p.facts, lang), class_=f"p-{p.severity}") for p in found))


def limits(trace: Trace, words: Mapping[str, str]) -> Markup:
    if not trace.limits:
        return joined()
    rows = [tag("tr", *(tag("th", words[f"column.{name}"]) for name in ("limit", "typed", "cap", "used")))]
    for one in trace.limits:
        numbers = (tag("td", f"{n:,}", class_="n") for n in (one.cap, one.used))
        rows.append(tag("tr", tag("td", tag("b", one.name)), tag("td", one.typed, class_="n"), *numbers))
    return tag("section", tag("h2", words["limits"]), tag("div", tag("table", *rows), class_="wide"))
