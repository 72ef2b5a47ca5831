"""The headline of a run: tokens, share of the room, fits or not, exactness, price; the window as one bar."""

from __future__ import annotations

import streamlit as st

from ctxcore.trace import Trace
from ui.components import Mount, Segment, component_words, window_bar
from ui.looking import Looking
from ui.words import language, number, t


def draw_headline(look: Looking, milliseconds: float | None = None) -> None:
    """The payload's numbers once messages are written; before that, what the items have so far."""
    trace, snapshot = look.trace, look.snapshot
    written = bool(snapshot.payload.messages)
    total = trace.totals.total if written else snapshot.tokens_after + trace.budget.fixed
    room = trace.budget.room
    with st.container(key="headline", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(t("headline.tokens", total=number(total), room=number(room)), width="content")
        st.markdown(t("headline.share", share=f"{100 * total / room:.1f}" if room > 0 else "–"), width="content")
        if total > room:
            st.badge(t("headline.over", over=number(total - room)), icon=":material/warning:", color="red")
        elif written:
            st.badge(t("headline.fits"), icon=":material/check:", color="green")
        else:
            st.badge(t("headline.so_far", stage=snapshot.name), color="blue")
        _exactness(trace)
        st.caption(
            _price(trace, total), width="content", help=t("headline.price_help", date=trace.model.price_date or "–")
        )
        if milliseconds is not None:
            st.caption(t("headline.milliseconds", ms=f"{milliseconds:,.0f}"), width="content")


def _exactness(trace: Trace) -> None:
    counter = trace.counter
    st.badge(
        t("headline.exactness", encoding=counter.name, exactness=t(f"exact.{counter.exactness}")),
        color={"exact": "gray", "approximate": "orange"}.get(counter.exactness, "red"),
        help=t(f"headline.help.{counter.exactness}"),
    )


def draw_bar(look: Looking) -> None:
    """What fills the window after this stage, by source."""
    trace, written = look.trace, bool(look.snapshot.payload.messages)
    by_source: dict[str, int] = {}
    for item in look.snapshot.items:
        by_source[str(item.source)] = by_source.get(str(item.source), 0) + item.tokens
    segments = [Segment("tools", trace.totals.tools)]
    if written:
        segments.append(Segment("overhead", max(0, trace.totals.overhead)))
    segments += [Segment(source, tokens) for source, tokens in by_source.items()]
    with st.container(key="headline_bar"):
        window_bar(
            segments,
            Mount("bar", component_words(language())),
            window=trace.budget.window,
            reserve=trace.budget.reserve,
        )


def _price(trace: Trace, total: int) -> str:
    price = trace.model.input_price
    if price is None:
        return t("headline.no_price")
    return t("headline.price", cents=f"{100 * total * price / 1_000_000:.3f}")
