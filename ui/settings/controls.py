"""The sidebar's settings: scenario, system, model, window, reserve, and every limit as a slider."""

from __future__ import annotations

import streamlit as st

from ctxcore.budget import Budget
from ctxcore.build import build_budget
from ctxcore.comparing.demos import DEMOS
from ctxcore.counting.models import MODELS
from ctxcore.counting.models import model as model_called
from ctxcore.errors import CtxError
from ctxcore.systems import SYSTEMS, VARIANTS
from ui import terms
from ui.runs import settings_of, trace_of
from ui.settings.guard import draw_guard, kept
from ui.settings.limit_slider import fill, limit_sliders
from ui.sources import shipped
from ui.sources.scenarios import is_edited, open_builtin, scenario_of
from ui.tune.monitor import record
from ui.words import language, literal, number, t
from ui.workspace import state

QUICK = (128_000, 32_000, 8_000)  # tokens: one click each
RESERVE = "_reserve_base"  # of the session, as in limit_slider
EDITED = "·edited"  # option of the picker for a scenario that is no built-in one


def draw_controls() -> None:
    """All that every page needs. What cannot be run is said here and on the page, and stays editable."""
    _scenario()
    _system()
    _model()
    _window()
    budget = _budget()
    _reserve(budget)
    captions = limit_sliders(budget, has_media=scenario_of(state.workspace()).has_media) if budget else {}
    trace = None
    try:
        trace = trace_of(state.workspace())
        record(trace)
        fill(captions, trace)
    except CtxError:  # the page says what is wrong; the controls stay, to mend it with
        pass
    draw_guard(trace)


def _budget() -> Budget | None:
    """The caps as they are now, before the run; None where the window leaves no room."""
    now = state.workspace()
    try:
        return build_budget(scenario_of(now), settings_of(now))
    except CtxError:
        return None


def _scenario() -> None:
    now = state.workspace()
    names = list(shipped.names())
    edited = bool(now.revision)
    if not edited and now.scenario and now.scenario not in names:  # sources of a demonstration
        names = [now.scenario, *names]
    options = [EDITED, *names] if edited else names
    labels = {name: _title(name) for name in names}
    labels[EDITED] = t("control.edited", name=now.scenario) if is_edited(now) else now.scenario
    with st.container(key="scenario_pick"):
        chosen = st.selectbox(
            t("control.scenario"),
            options,
            index=options.index(EDITED if edited else now.scenario or names[0]),
            format_func=labels.__getitem__,
            key=state.key("scenario", now.revision),
            help=t("help.scenario"),
        )
    about = scenario_of(now).about.get(language(), "")
    if about:
        st.caption(literal(about))
    if chosen != EDITED and (edited or chosen != (now.scenario or names[0])):
        open_builtin(chosen)
        st.rerun()


def _title(name: str) -> str:
    title = shipped.shipped(name).title.get(language())
    return title or (DEMOS[name].title(language()) if name in DEMOS else name)


def _system() -> None:
    now = state.workspace()
    left, right = st.columns([1, 1], gap="small")
    with left, st.container(key="system_pick"):
        names = list(SYSTEMS)
        system = st.selectbox(
            t("control.system"), names, index=names.index(now.system), key=state.key("system"), help=t("help.system")
        )
    with right, st.container(key="variant_pick"):
        labels = {name: t(f"variant.{name}") for name in VARIANTS}
        variant = st.selectbox(
            t("control.variant"),
            VARIANTS,
            index=VARIANTS.index(now.variant),
            format_func=labels.__getitem__,
            key=state.key("variant"),
            help=terms.about("variant"),
        )
    if system != now.system:
        state.put(system=system, limits={}, options=kept(now.options), stages=(), stage="", run_to="", edits=())
        st.rerun()
    if variant != now.variant:
        state.change(variant=variant)


def _model() -> None:
    now = state.workspace()
    names = [model.name for model in MODELS if model.is_known]
    known = model_called(now.model)
    options = names if now.model in names else [now.model, *names]
    with st.container(key="model_pick"):
        chosen = st.selectbox(
            t("control.model"),
            options,
            index=options.index(now.model),
            key=state.key("model"),
            accept_new_options=True,
            help=t("help.model"),
        )
    if not known.is_known:
        st.caption(t("control.unknown_model", encoding=known.encoding))
    if chosen:
        state.change(model=chosen)


def _window() -> None:
    now = state.workspace()
    with st.container(key="budget_window"):
        window = st.select_slider(
            t("control.window"),
            _steps(now.window),
            value=now.window,
            format_func=_labels(now.window).__getitem__,
            key=state.key("window"),
            help=terms.about("window"),
        )
    state.change(window=window)
    with st.container(key="budget_quick", horizontal=True, gap="xsmall"):
        for size in QUICK:
            if st.button(
                f"{size // 1000}k", key=f"quick.{size}", type="tertiary", disabled=size == window, help=t("help.quick")
            ):
                state.put(window=size)
                st.rerun()
        if st.button(t("control.model_window"), key="quick.model", type="tertiary", help=t("help.model_window")):
            state.put(window=model_called(state.workspace().model).window)
            st.rerun()


def _steps(now: int) -> list[int]:
    """Windows from 500 up to a million: fine where windows are small, coarse where they are large."""
    steps = {
        *range(500, 4_000, 100),
        *range(4_000, 16_000, 250),
        *range(16_000, 64_000, 1_000),
        *range(64_000, 200_001, 4_000),
        *range(200_000, 1_048_577, 25_000),
        1_048_576,
        *QUICK,
        now,
    }
    return sorted(steps)


def _labels(now: int) -> dict[int, str]:
    return {step: number(step) for step in _steps(now)}


def _reserve(budget: Budget | None) -> None:
    now = state.workspace()
    shown = now.reserve if now.reserve is not None else (budget.reserve if budget else 0)
    base = st.session_state.get(RESERVE)
    if now.reserve is None or base is None:
        base = st.session_state[RESERVE] = shown  # not set by the user: it follows the window, as another widget
    with st.container(key="budget_reserve"):
        reserve = st.number_input(
            t("control.reserve") if now.reserve is not None else t("control.reserve_auto"),
            0,
            max(now.window - 1, shown),
            shown,
            step=100,
            key=state.key("reserve", str(base)),
            help=terms.about("reserve"),
        )
    if reserve != shown:
        state.change(reserve=int(reserve))
