"""Tune, the best split: the objective to read and to change, the front, the knee, and what a little more would buy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ctxcore.build import build
from ctxcore.item import Source
from ctxcore.placing.importance import PRIOR, Importance
from ctxcore.trace import Trace
from ctxcore.tuning.axis import moved
from ctxcore.tuning.objective import Objective, Score, score
from ctxcore.tuning.splitting import MORE, Split, best_split
from ui.charts import draw_chart
from ui.settings import summaries
from ui.tables import draw_table
from ui.words import literal, number, t
from ui.workspace import state

TIE_BREAK = 0.1  # where facts are marked they decide, and guesses only between what holds as many


def draw(trace: Trace) -> None:
    if not trace.budget.limits:
        st.info(t("limit.none"), icon=":material/info:")
        return
    objective = _objective(trace)
    split = best_split(trace, objective)
    settings = trace.settings
    for name, tokens in split.limits.items():
        settings = moved(settings, name, tokens)
    after = build(trace.scenario, settings, services=summaries.services())
    now, then = score(trace, objective), score(after, objective)
    _numbers(now, then, after.fits)
    _apply(trace, split, is_better=then.beats(now) and (after.fits or not trace.fits))
    built = ((trace.totals.total, now.total), (after.totals.total, then.total))
    with st.container(key="tune_front"):
        draw_chart(figure(split, built), key="tune.front")
    _table(trace, split)
    st.caption(t("tune.split_about"))


def _apply(trace: Trace, split: Split, *, is_better: bool) -> None:
    """Only what is better by the numbers above is offered."""
    with st.container(key="tune_apply"):
        if dict(split.limits) == trace.budget.caps():
            st.caption(f":material/check: {t('tune.is_applied')}")
        elif not is_better:
            st.info(t("tune.no_better"), icon=":material/info:")
        elif st.button(t("tune.apply_split"), key="tune.apply", type="primary", icon=":material/check:"):
            state.put(limits={name: str(tokens) for name, tokens in split.limits.items()})
            state.notify("tune.applied")
            st.rerun()


def _objective(trace: Trace) -> Objective:
    with st.expander(t("tune.objective"), icon=":material/function:"):
        st.latex(r"J = \bar c(f)\,\left(\frac{\sum_i w_i\,k_i}{\sum_i w_i} - \lambda_r R\right) - \lambda_t\,f")
        st.caption(t("tune.objective_about"))
        left, middle, right = st.columns(3)
        with left, st.container(key="tune_redundancy"):
            repeated = st.number_input(t("tune.redundancy"), 0.0, 2.0, 0.1, 0.05, key="tune.redundancy")
        with middle, st.container(key="tune_tokens"):
            tokens = st.number_input(t("tune.tokens"), 0.0, 2.0, 0.05, 0.05, key="tune.tokens")
        with right, st.container(key="tune_guess"):
            guess = st.number_input(t("tune.guess"), 0.0, 1.0, TIE_BREAK, 0.05, key="tune.guess")
        with st.container(key="tune_facts"):
            given = "\n".join(trace.scenario.must_keep)
            said = st.text_area(t("tune.facts"), given, height=100, key=f"tune.facts.{trace.scenario.revision}")
        priors = _priors(trace)
    facts = tuple(line.strip() for line in said.splitlines() if line.strip())
    return Objective(repeated, tokens, guess, Importance(priors, facts))


def _priors(trace: Trace) -> dict[Source, float]:
    present = [source for source in PRIOR if any(item.source is source for item in trace.inputs)]
    out = {}
    for column, source in zip(st.columns(max(1, len(present))), present, strict=False):
        with column, st.container(key=f"tune_prior_{source}"):
            out[source] = st.number_input(
                t(f"draw.source.{source}"), 0.0, 3.0, PRIOR[source], 0.5, key=f"tune.prior.{source}"
            )
    return out


def _numbers(now: Score, then: Score, fits: bool) -> None:
    with st.container(key="tune_score", horizontal=True):
        for name in ("total", "coverage", "repeated", "fill"):
            was, is_ = getattr(now, name), getattr(then, name)
            st.metric(
                t(f"tune.score.{name}"),
                f"{is_:.3f}",
                f"{is_ - was:+.3f}",
                delta_color="inverse" if name in ("repeated", "fill") else "normal",
                border=True,
            )
    if not fits:
        st.warning(t("tune.not_fitting"))
    if then.lost:
        st.warning(literal(t("tune.facts_lost", facts="; ".join(then.lost))))


def figure(split: Split, built: Sequence[tuple[int, float]]) -> Any:
    """`built`: tokens and value kept of the present build and of the proposed one."""
    import plotly.graph_objects as go

    chart = go.Figure()
    chart.add_scatter(
        x=[p.tokens for p in split.front],
        y=[p.value for p in split.front],
        mode="lines",
        line={"shape": "hv", "width": 2, "color": "#5a64af"},
        name=t("tune.front"),
        customdata=[p.total for p in split.front],
        hovertemplate="%{x:,} → %{y:.3f}<br>J %{customdata:.3f}<extra></extra>",
    )
    chart.add_scatter(
        x=[p.tokens for p in split.front],
        y=[p.total for p in split.front],
        mode="lines",
        line={"width": 1.5, "dash": "dot", "color": "#8791a5"},
        name=t("tune.kept_estimate"),
        hoverinfo="skip",
    )
    _points(chart, split, built)
    chart.add_vline(x=built[0][0], line={"width": 1, "dash": "dash", "color": "#7d8798"}, annotation_text=t("tune.now"))
    chart.update_layout(
        height=340,
        margin={"t": 40, "b": 40, "l": 8, "r": 8},
        legend={"orientation": "h", "y": 1.03, "yanchor": "bottom", "x": 0},
        xaxis={"title": t("agent.token_axis"), "tickformat": ",", "fixedrange": True},
        yaxis={"title": t("tune.value"), "fixedrange": True, "rangemode": "tozero"},
    )
    return chart


def _points(chart: Any, split: Split, built: Sequence[tuple[int, float]]) -> None:
    """Each on the curve that it is the best or the bend of; their names stand in the legend alone."""
    for name, at, value, symbol, colour in (
        ("best", split.best.tokens, split.best.total, "star", "#d9772b"),
        ("knee", split.knee.tokens, split.knee.value, "diamond", "#359d79"),
    ):
        chart.add_scatter(
            x=[at],
            y=[value],
            mode="markers",
            marker={"size": 13, "symbol": symbol, "color": colour},
            name=t(f"tune.{name}"),
            hovertemplate="%{x:,} → %{y:.3f}<extra></extra>",
        )
    chart.add_scatter(
        x=[tokens for tokens, _ in built],
        y=[value for _, value in built],
        mode="markers",
        marker={"size": 11, "symbol": "circle-open", "color": "#5a64af", "line": {"width": 2}},
        name=t("tune.built"),
        hovertemplate="%{x:,} → %{y:.3f}<extra></extra>",
    )


def _table(trace: Trace, split: Split) -> None:
    import pandas as pd

    caps = trace.budget.caps()
    limits = [(name, caps[name], tokens, tokens - caps[name]) for name, tokens in split.limits.items()]
    columns = [t(f"tune.column.{name}") for name in ("limit", "now", "then", "change")]
    margins = [(m.pool, m.gain, m.enters or "–", m.leaves or "–") for m in split.margins]
    names = [t(f"tune.column.{name}") for name in ("limit", "gain", "enters", "leaves")]
    left, right = st.columns(2)
    with left, st.container(key="tune_limits"):
        tokens = {name: st.column_config.NumberColumn(format="localized") for name in columns[1:]}
        draw_table(pd.DataFrame(limits, columns=columns), hide_index=True, key="tune.limits", column_config=tokens)
    with right, st.container(key="tune_margins"):
        draw_table(
            pd.DataFrame(margins, columns=names),
            hide_index=True,
            key="tune.margins",
            column_config={
                names[1]: st.column_config.NumberColumn(format="%.4f", help=t("tune.gain", more=number(MORE)))
            },
        )
