"""The headline of a run: tokens, share of the room, fits or not, what is lost, exactness, price; the window's bar."""

from __future__ import annotations

import streamlit as st

from ctxcore.item import Source
from ctxcore.running import Snapshot
from ctxcore.trace import Trace
from ui.alerts import alerts_of, lights_of_facts
from ui.components import Mount, Segment, component_words, window_bar
from ui.library import bodies
from ui.library.keeping import draw_keep
from ui.looking import Looking
from ui.why.sought import PAGE, seek
from ui.words import language, literal, number, t
from ui.workspace import state
from ui.workspace.baseline import baseline, draw_baseline


def draw_headline(look: Looking, last_run: bool = True, alerts: bool = True) -> None:
    """The payload that is sent; beside it, what the stage that is looked at has so far. In step mode, while the last
    stage has not been run, only the latter."""
    trace, snapshot = look.trace, look.snapshot
    written = bool(snapshot.payload.messages)
    so_far = snapshot.tokens_after + trace.budget.fixed
    total = trace.totals.total if last_run else so_far
    room = trace.budget.room
    with st.container(key="headline", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(t("headline.tokens", total=number(total), room=number(room)), width="content")
        st.markdown(t("headline.share", share=f"{100 * total / room:.1f}" if room > 0 else "–"), width="content")
        if last_run and trace.fits:
            st.badge(t("headline.fits"), icon=":material/check:", color="green")
        elif last_run:
            st.badge(t("headline.over", over=number(total - room)), icon=":material/warning:", color="red")
        if not (written and last_run):
            st.badge(t("headline.so_far", stage=snapshot.name, tokens=number(so_far)), color="blue")
        if last_run and alerts:
            _alerts(trace)
        _exactness(trace)
        price = t("headline.price_help", date=trace.model.price_date or "–")
        st.caption(_price(trace, total), width="content", help=price)
        if last_run and alerts:
            draw_baseline(trace)
            now = state.workspace()
            draw_keep("run", f"{now.scenario} {now.system} {number(now.window)}", lambda: bodies.run(now, trace))


def _alerts(trace: Trace) -> None:
    """What the green numbers would hide; a click says why, or shows it among the findings."""
    found = alerts_of(trace)
    _facts(trace)
    for name, count in (("lost", len(found.lost)), ("refused", len(found.refused))):
        if not count:
            continue
        with st.container(key=f"headline_{name}", width="content"):
            label = f":red[{t(f'headline.{name}', count=count)}]"
            told = literal("; ".join(found.lost)) if name == "lost" else t("headline.refused_help")
            if not st.button(label, icon=":material/error:", type="tertiary", key=f"headline.{name}", help=told):
                continue
            if name == "lost":
                seek(found.lost[0])
                st.switch_page(PAGE)
            state.put(view="findings")
            st.rerun()


def _facts(trace: Trace) -> None:
    """A light for each must-keep text, where all are kept; lost ones have a word of their own."""
    ends = [lights[-1][1] for lights in lights_of_facts(trace).values()]
    if ends and set(ends) == {"kept"}:
        st.badge(t("headline.facts", count=len(ends)), icon=":material/bookmark_check:", color="green")
    elif partly := ends.count("partly"):
        st.badge(t("headline.facts_partly", count=partly), icon=":material/bookmark:", color="orange")


def _exactness(trace: Trace) -> None:
    counter = trace.counter
    st.badge(
        t("headline.exactness", encoding=counter.name, exactness=t(f"exact.{counter.exactness}")),
        color={"exact": "gray", "approximate": "orange"}.get(counter.exactness, "red"),
        help=t(f"headline.help.{counter.exactness}"),
    )
    if trace.estimated:
        parts = ", ".join(t(f"estimated.{name}") for name in trace.estimated)
        media = trace.estimated != ("tools",)
        st.badge(
            t("headline.estimated", parts=parts), color="orange" if media else "gray", help=t("headline.estimated_help")
        )


def draw_bar(look: Looking) -> None:
    """What fills the window after this stage, by source; a click on a source looks at its items."""
    trace = look.trace
    by_source, changes = sizes_by_source(look.snapshot), _changes(look.snapshot)
    segments = [Segment("tools", trace.totals.tools), Segment("overhead", look.overhead)]
    segments += [Segment(source, tokens, change=changes.get(source, "")) for source, tokens in by_source.items()]
    with st.container(key="headline_bar"):
        window_bar(
            segments,
            Mount("bar", component_words(language()), on_pick=_of_source),
            window=trace.budget.window,
            reserve=trace.budget.reserve,
        )


def sizes_by_source(snapshot: Snapshot) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for item in snapshot.items:
        sizes[str(item.source)] = sizes.get(str(item.source), 0) + item.tokens
    return sizes


def _changes(snapshot: Snapshot) -> dict[str, str]:
    """Source → its change against the same stage of the baseline, in words, where there is one."""
    before = baseline()
    then = next((one for one in before.snapshots if one.name == snapshot.name), None) if before else None
    if then is None:
        return {}
    was, now = sizes_by_source(then), sizes_by_source(snapshot)
    moved = {source: tokens - was.get(source, 0) for source, tokens in now.items()}
    return {source: t("baseline.short", change=f"{change:+,}") for source, change in moved.items() if change}


def _of_source(source: str) -> None:
    """A click on a part of the bar: the items of that source. Overhead and tool definitions have none."""
    if source in set(Source):
        st.session_state["items.source"] = [source]
        state.put(view="items")


def _price(trace: Trace, total: int) -> str:
    price = trace.model.input_price
    if price is None:
        return t("headline.no_price")
    return t("headline.price", cents=f"{100 * total * price / 1_000_000:.3f}")
