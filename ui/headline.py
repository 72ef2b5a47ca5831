"""The headline of a run: tokens, share of the room, fits or not, exactness, price; the window as one bar."""

from __future__ import annotations

import streamlit as st

from ctxcore.trace import Trace
from ui.components import Mount, Segment, component_words, window_bar
from ui.words import language, number, t


def draw_headline(trace: Trace, seconds: float) -> None:
    totals, budget = trace.totals, trace.budget
    with st.container(key="headline", horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown(t("headline.tokens", total=number(totals.total), room=number(budget.room)), width="content")
        share = 100 * totals.total / budget.room
        st.markdown(t("headline.share", share=f"{share:.1f}"), width="content")
        if trace.fits:
            st.badge(t("headline.fits"), icon=":material/check:", color="green")
        else:
            st.badge(
                t("headline.over", over=number(totals.total - budget.room)), icon=":material/warning:", color="red"
            )
        counter = trace.counter
        st.badge(
            t("headline.exactness", encoding=counter.name, exactness=t(f"exact.{counter.exactness}")),
            color={"exact": "gray", "approximate": "orange"}.get(counter.exactness, "red"),
            help=t(f"headline.help.{counter.exactness}"),
        )
        st.caption(_price(trace), width="content", help=t("headline.price_help", date=trace.model.price_date or "–"))
        st.caption(t("headline.seconds", ms=f"{1000 * seconds:,.0f}"), width="content")


def draw_bar(trace: Trace) -> None:
    totals = trace.totals
    by_source: dict[str, int] = {}
    for item in trace.final.items:
        by_source[str(item.source)] = by_source.get(str(item.source), 0) + item.tokens
    segments = [Segment("tools", totals.tools), Segment("overhead", max(0, totals.overhead))]
    segments += [Segment(source, tokens) for source, tokens in by_source.items()]
    with st.container(key="headline_bar"):
        window_bar(
            segments,
            Mount("bar", component_words(language())),
            window=trace.budget.window,
            reserve=trace.budget.reserve,
        )


def _price(trace: Trace) -> str:
    price = trace.model.input_price
    if price is None:
        return t("headline.no_price")
    return t("headline.price", cents=f"{100 * trace.totals.total * price / 1_000_000:.3f}", model=trace.model.name)
