"""Tune, many scenarios: a row each under the present settings; the split that serves them all best, and who suffers."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from ctxcore.errors import CtxError, InputError
from ctxcore.importing import loads
from ctxcore.scenario import Scenario
from ctxcore.trace import Trace
from ctxcore.tuning.many import Candidate, Job, Row, best_over_all, rows
from ctxcore.tuning.objective import Objective
from ctxcore.words import Phrase
from ui.runs import settings_of
from ui.sources import shipped
from ui.sources.scenarios import scenario_of
from ui.tables import draw_table
from ui.words import literal, number, t
from ui.workspace import state

MOST_BYTES = 5_000_000  # of one dropped file
OPEN = "·"  # the workspace's own scenario among the built-in ones


def draw(trace: Trace) -> None:
    chosen = _chosen()
    if not chosen:
        st.info(t("many.none"), icon=":material/info:")
        return
    settings = settings_of(state.workspace())
    asked = replace(settings, pins=(), edits=())  # these name items of one scenario
    jobs = tuple(Job(scenario, asked, objective=Objective(guess=0.1)) for scenario in chosen)
    _table(rows(jobs))
    if not trace.budget.limits:
        return
    with st.container(key="many_best"):
        if st.button(t("many.best"), icon=":material/balance:", key="many.best"):
            st.session_state["many.found"] = (repr(asked), [s.name for s in chosen], best_over_all(jobs))
    found = st.session_state.get("many.found")
    if found and found[:2] == (repr(asked), [s.name for s in chosen]):
        _best(found[2], [scenario.name for scenario in chosen])


def _chosen() -> list[Scenario]:
    """Built-in scenarios, the one that is open, and files that are dropped in; nothing of these is stored."""
    here = scenario_of(state.workspace())
    labels = {OPEN: t("many.open", name=here.name)} | {name: name for name in shipped.names()}
    with st.container(key="many_pick"):
        picked = st.multiselect(
            t("many.pick"), list(labels), default=list(shipped.names()), format_func=labels.__getitem__, key="many.pick"
        )
    with st.container(key="many_drop"):
        files = st.file_uploader(t("many.drop"), accept_multiple_files=True, key="many.files")
    out = [here if name == OPEN else shipped.shipped(name) for name in picked]
    for file in files or []:
        try:
            out.append(_read(file.name, file.getvalue()))
        except CtxError as error:
            st.warning(literal(Phrase("in-place", where=file.name, told=error.told)))
    return out


def _read(name: str, data: bytes) -> Scenario:
    if len(data) > MOST_BYTES:
        raise InputError("file-large", size=len(data), most=MOST_BYTES)
    return loads(data, name=name)


def _table(found: tuple[Row, ...]) -> None:
    import pandas as pd

    told = [
        (
            row.name,
            "✓" if row.fits else "×",
            f"{len(row.lost)} / {row.wanted}" if row.wanted else "–",
            "; ".join(row.lost),
            row.total,
            100 * row.fill,
            row.cents,
            len(row.refused),
        )
        for row in found
    ]
    names = [
        t(f"many.column.{name}") for name in ("name", "fits", "lost", "texts", "total", "fill", "cents", "refused")
    ]
    with st.container(key="many_rows"):
        draw_table(
            pd.DataFrame(told, columns=names),
            hide_index=True,
            key="many.rows",
            column_config={
                names[4]: st.column_config.NumberColumn(format="localized"),
                names[5]: st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=100),
                names[6]: st.column_config.NumberColumn(format="%.3f"),
            },
        )
    whole = sum(row.ok for row in found)
    st.caption(t("many.sum", ok=number(whole), all=number(len(found))))


def _best(found: tuple[Candidate, ...], names: list[str]) -> None:
    import pandas as pd

    best = found[0]
    origin = literal(best.origin) or t("many.as_is")
    worst = literal(names[best.worst])
    st.markdown(t("many.found", origin=origin, worst=worst, score=f"{best.scores[best.worst]:.3f}"))
    told = [
        (
            one.origin or t("many.as_is"),
            sum(one.lost),
            min(one.scores),
            sum(one.scores) / len(one.scores),
            names[one.worst],
        )
        for one in found
    ]
    columns = [t(f"many.column.{name}") for name in ("split", "lost", "worst", "mean", "case")]
    with st.container(key="many_splits"):
        draw_table(pd.DataFrame(told, columns=columns), hide_index=True, key="many.splits")
    if best.limits:
        with st.container(key="many_apply"):
            if st.button(t("tune.apply_split"), icon=":material/check:", key="many.apply", type="primary"):
                kept = {name: text for name, text in state.workspace().limits.items() if name not in best.limits}
                state.put(limits=kept | {name: str(tokens) for name, tokens in best.limits.items()})
                st.rerun()
