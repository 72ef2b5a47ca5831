"""By which curve the layout is judged, in which window it is read, and what counts as important."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from ctxcore.errors import InputError
from ctxcore.item import Source
from ctxcore.placing.given import preset_from
from ctxcore.placing.importance import MOST, PRIOR, Importance, priors
from ctxcore.placing.presets import DEFAULT, Preset, presets
from ctxcore.stages.layout_optimizer import LayoutOptimizer
from ctxcore.trace import Trace
from ui.words import t
from ui.workspace import state

WINDOWS = (8_000, 16_000, 32_000, 64_000, 128_000, 200_000, 1_000_000)
CURVE, WEIGHTS, MEASURED = (f"{LayoutOptimizer.name}.{option}" for option in ("curve", "weights", "measured"))


@dataclass(frozen=True)
class Choice:
    preset: str | Preset
    window: int | None  # None: the run's own
    weights: str  # as the stage takes them
    importance: Importance


def choose(trace: Trace) -> Choice:
    """The controls above the map. Curve and importance are options of the stage, so that applying keeps them."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="layout_controls"):
        preset = _curve()
        window = _window(trace)
        weights = _importance(trace)
        with st.popover(t("layout.doubts"), icon=":material/help:", key="layout.doubts"):
            for point in ("fill", "borrowed", "null", "window", "distractors", "retrieval", "proxy"):
                st.markdown(f"- {t(f'layout.doubt.{point}')}")
    return Choice(preset, window, weights, Importance(priors(weights)))


def keep(path: str, value: str, default: str) -> None:
    """An option of the layout stage, also while the pipeline does not have it."""
    now = state.workspace().options
    others = {name: kept for name, kept in now.items() if name != path}
    state.change(options=others if value == default else {**others, path: value})


def _curve() -> str | Preset:
    """A preset, or the measured curve that was put to use."""
    now = state.workspace().options
    measured = _measured(str(now.get(MEASURED, "")))
    kept = MEASURED if measured else str(now.get(CURVE, DEFAULT))
    labels = {name: t(f"curve.{name}") for name in presets()}
    sources = [f"**{labels[name]}**: {preset.source}" for name, preset in presets().items()]
    if measured:
        labels[MEASURED] = t("layout.measured", name=measured.key)
        sources.append(f"**{labels[MEASURED]}**: {measured.source}")
    names = tuple(labels)
    with st.container(key="layout_curve", width=260):
        chosen = st.selectbox(
            t("layout.curve"),
            names,
            index=names.index(kept) if kept in names else 0,
            format_func=labels.__getitem__,
            key=state.key("options", CURVE, str(bool(measured))),
            help="  \n".join(sources),
        )
    if chosen != kept:
        keep(MEASURED, "", "")
        keep(CURVE, chosen, DEFAULT)
        st.rerun()
    return measured if measured else chosen


def _measured(text: str) -> Preset | None:
    try:
        return preset_from(text) if text else None
    except InputError:
        return None


def _window(trace: Trace) -> int | None:
    own = trace.budget.window
    windows = sorted({own, *WINDOWS})
    labels = {w: t("layout.window_own") if w == own else f"{w // 1000:,}k" for w in windows}
    with st.container(key="layout_window", width=260):
        chosen = st.select_slider(
            t("layout.window"),
            windows,
            own,
            format_func=labels.__getitem__,
            key=f"layout.window.{own}",
            help=t("layout.window_help"),
        )
    return None if chosen == own else int(chosen)


def _importance(trace: Trace) -> str:
    kept = str(state.workspace().options.get(WEIGHTS, ""))
    given, here = priors(kept), {item.source for item in trace.final.items}
    with st.popover(t("layout.importance"), icon=":material/tune:", key="layout.importance"):
        st.caption(t("layout.importance_help"))
        chosen: dict[Source, float] = {}
        for source in [source for source in PRIOR if source in here]:
            label = t(f"draw.source.{source}")
            chosen[source] = st.slider(
                label,
                0.0,
                MOST,
                float(given.get(source, PRIOR[source])),
                0.5,
                key=state.key("options", WEIGHTS, str(source)),
            )
    changed = {source: value for source, value in {**given, **chosen}.items() if value != PRIOR[source]}
    weights = " ".join(f"{source}={value:g}" for source, value in changed.items())
    if weights != kept:
        keep(WEIGHTS, weights, "")
        st.rerun()
    return weights
