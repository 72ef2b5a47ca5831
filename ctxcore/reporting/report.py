"""A run as one HTML file: from disk, without a network or a server, to be searched, printed and kept with a build."""

from __future__ import annotations

from ctxcore.placing.placement import placement
from ctxcore.reporting.along import along
from ctxcore.reporting.head import limits, numbers, stages
from ctxcore.reporting.ledger import ledger
from ctxcore.reporting.markup import Markup, joined, tag
from ctxcore.reporting.page import page
from ctxcore.reporting.tiles import treemap
from ctxcore.trace import Trace
from ctxcore.words import report_words

MOST_BYTES = 2_900_000  # of the whole file, as long as the rows without their texts take less


def report(trace: Trace, lang: str = "en") -> str:
    """`lang` en or zh."""
    words = report_words(lang)
    title = trace.scenario.title.get(lang) or trace.scenario.name or words["untitled"]
    sub = f"{trace.system.name} · {words[f'variant.{trace.settings.variant}']} · {trace.model_name}"
    top = joined(
        tag("header", tag("h1", title), tag("p", sub, class_="quiet")),
        numbers(trace, words),
        stages(trace, words, lang),
        _map(trace, words),
        _layout(trace, words),
        limits(trace, words),
    )
    frame = page(title, lang, _body(top, joined(), words))
    rest = ledger(trace, words, lang, MOST_BYTES - len(frame.encode()))
    return page(title, lang, _body(top, rest, words))


def _body(top: Markup, rest: Markup, words: dict[str, str]) -> Markup:
    return tag("main", top, rest, tag("footer", words["made"], class_="quiet"))


def _map(trace: Trace, words: dict[str, str]) -> Markup:
    last = len(trace.snapshots) - 1
    picks = (
        tag("button", one.name, type="button", data_at=at, aria_pressed="true" if at == last else "false")
        for at, one in enumerate(trace.snapshots)
    )
    drawn = treemap(trace, words["treemap"], lambda source: words[f"source.{source}"])
    about = tag("p", words["treemap.about"], class_="quiet")
    return tag("section", tag("h2", words["treemap"]), tag("div", *picks, class_="picks", id="picks"), drawn, about)


def _layout(trace: Trace, words: dict[str, str]) -> Markup:
    if not trace.final.messages:
        return joined()
    found = placement(trace)
    about = words["layout.about"].format(recall=found.expected, marked=sum(b.marked for b in found.blocks))
    drawn = along(trace, found, words["layout"])
    return tag("section", tag("h2", words["layout"]), drawn, tag("p", about, class_="quiet"))
