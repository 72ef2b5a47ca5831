"""The totals of both sides, one card each: what fits, what became of the items, expected recall, and the price."""

from __future__ import annotations

import streamlit as st

from ctxcore.comparing.comparison import Comparison, cost
from ctxcore.placing.expected import expected_of
from ctxcore.trace import Trace
from ui.components import Mount, Segment, component_words, window_bar
from ui.words import language, literal, number, t


def draw_totals(compared: Comparison, names: tuple[str, str]) -> None:
    columns = st.columns(2, gap="small")
    for at, (trace, name) in enumerate(zip((compared.first, compared.second), names, strict=True)):
        with columns[at], st.container(border=True, key=f"compare_total_{at + 1}", gap="xsmall"):
            _card(compared, trace, at, name)


def _card(compared: Comparison, trace: Trace, at: int, name: str) -> None:
    total, room = trace.totals.total, trace.budget.room
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(f"**{literal(name)}**", width="content")
        st.space("stretch")
        if trace.fits:
            st.badge(t("headline.fits"), icon=":material/check:", color="green")
        else:
            st.badge(t("headline.over", over=number(total - room)), icon=":material/warning:", color="red")
    change = "" if not at else _delta(total - compared.first.totals.total)
    st.markdown(f"{t('headline.tokens', total=number(total), room=number(room))} {change}")
    counts = {end: count for end, count in compared.counts(trace).items() if count}
    st.markdown(" · ".join(f":{_TONE[end]}[{t(f'compare.count.{end}', count=counts[end])}]" for end in counts))
    st.caption(f"{_recall(compared, trace, at)} · {_price(trace)}", help=t("compare.recall_help"))
    with st.container(key=f"compare_bar_{at + 1}"):
        window_bar(
            _segments(trace),
            Mount(f"compare.bar.{at}", component_words(language())),
            window=trace.budget.window,
            reserve=trace.budget.reserve,
        )


_TONE = {"whole": "green", "shorter": "orange", "merged": "violet", "lost": "red"}


def _delta(tokens: int) -> str:
    return f":gray[{'+' if tokens > 0 else '−' if tokens < 0 else '±'}{number(abs(tokens))}]"


def _recall(compared: Comparison, trace: Trace, at: int) -> str:
    """A proxy; where the payload is more than the window, a provider would refuse it, and nothing is recalled."""
    if trace.totals.total > trace.budget.window:
        return t("compare.refused_payload")
    share, facts = f"{100 * compared.recalls[at]:.0f}", trace.scenario.must_keep
    if not facts:
        return t("compare.recall", share=share)
    kept = sum(one.kept for one in expected_of(trace, facts))
    return t("compare.recall_facts", kept=kept, of=len(facts), share=share)


def _price(trace: Trace) -> str:
    found = cost(trace)
    return t("headline.no_price") if found is None else t("headline.price", cents=f"{100 * found:.3f}")


def _segments(trace: Trace) -> list[Segment]:
    by_source: dict[str, int] = {}
    for item in trace.final.items:
        by_source[str(item.source)] = by_source.get(str(item.source), 0) + item.tokens
    fixed = [Segment("tools", trace.totals.tools), Segment("overhead", max(0, trace.totals.overhead))]
    return [*fixed, *(Segment(source, tokens) for source, tokens in by_source.items())]
