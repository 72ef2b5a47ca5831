"""Tune, along one axis: every item over the budgets at which it is in; a line to drag, and to apply."""

from __future__ import annotations

import streamlit as st

from ctxcore import __version__
from ctxcore.scenario import Scenario
from ctxcore.services import Services
from ctxcore.settings import Settings
from ctxcore.trace import Trace
from ctxcore.tuning.axis import WINDOW, typed
from ctxcore.tuning.survival import Survival, survival
from ui.components import Mount, component_words
from ui.components.survival_chart import AT, MORE, near, survival_chart
from ui.looking import pick
from ui.runs import settings_of
from ui.settings import summaries
from ui.sources.scenarios import scenario_of
from ui.words import code, language, number, t
from ui.workspace import state

NEAR, LEAST = 3, 2_000  # how many times the present budget the picture reaches at first; tokens at least
MANY = 200  # items from which a sketch comes first, exact to the pixel; the picture itself asks for the rest of it
SKETCH, FINE, ALL = (8, True), (100, False), (None, False)  # builds at most, and whether it is a sketch


def draw(trace: Trace) -> None:
    limits = [limit.name for limit in trace.budget.limits]
    labels = {WINDOW: t("control.window"), **{name: name for name in limits}}
    with st.container(key="tune_over"):
        over = st.segmented_control(
            t("tune.over"),
            list(labels),
            default=WINDOW,
            required=True,
            format_func=labels.__getitem__,
            key=f"tune.over.{trace.system.name}",
        )
    now = state.workspace()
    asked, effort = settings_of(now), f"tune.effort.{over}"
    asked_for, tries = st.session_state.get(effort, (None, FINE))
    if asked_for != (now.revision, asked):
        tries = SKETCH if len(trace.inputs) > MANY else FINE
    present = trace.budget.window if over == WINDOW else trace.budget.cap(over)
    with st.container(key="tune_whole"):
        whole = st.toggle(t("tune.whole"), key="tune.whole", help=t("tune.whole_help"))
    within = None if whole else max(NEAR * present, LEAST)
    scenario = scenario_of(now)
    found = _survival(scenario.revision, asked, over, (tries, within), __version__, scenario, summaries.services())
    share = over != WINDOW and trace.budget.limit(over).share is not None
    with st.container(key="tune_survival"):
        mount = Mount("survival", component_words(language()), height=520, on_pick=_apply(over, trace, share, effort))
        revision = f"{hash((scenario.revision, repr(asked), over)):x}"
        survival_chart(found, mount, share=share, revision=revision, is_sketch=tries == SKETCH)
    _say(found)
    if tries != ALL and (found.unproven or found.step > 1):
        with st.container(key="tune_prove"):
            _say_open(found)
            if st.button(t("tune.prove"), key="tune.prove", type="tertiary", icon=":material/rule:"):
                _ask_for(effort, ALL)
                st.rerun()
    _picked(found)


def _ask_for(effort: str, tries: tuple[int | None, bool]) -> None:
    """From now on the picture is made with so many tries, until the scenario or a setting is another one."""
    now = state.workspace()
    st.session_state[effort] = ((now.revision, settings_of(now)), tries)


def _say_open(found: Survival) -> None:
    if found.step > 1:
        st.caption(t("tune.sketch", step=number(found.step)))
    else:
        st.caption(t("tune.unproven" if found.filled else "tune.untried", count=number(found.unproven)))


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Settings: repr})
def _survival(
    revision: str,
    settings: Settings,
    over: str,
    effort: tuple[tuple[int | None, bool], int | None],
    version: str,
    _scenario: Scenario,
    _services: Services | None,
) -> Survival:
    (tries, sketched), within = effort
    return survival(_scenario, settings, over, tries=tries, within=within, sketched=sketched, services=_services)


def _apply(over: str, trace: Trace, share: bool, effort: str):
    """What a click in the picture does: a budget is set, an item is looked at. A sketch asks for the exact picture."""

    def picked(what: str) -> None:
        if what == MORE:
            return _ask_for(effort, FINE)
        if not what.startswith(AT):
            return pick(what)
        tokens = int(what.removeprefix(AT))
        if over == WINDOW:
            return state.put(window=max(1, tokens))
        value = typed(tokens, trace.budget.window, share=share)
        return state.put(limits={**state.workspace().limits, over: value})

    return picked


def _say(found: Survival) -> None:
    flips = sum(1 for point in found.breakpoints if point.flips)
    never = sum(1 for life in found.lives if not life.spans)
    shown = near(found)
    first = t("tune.axis_near", near=number(shown)) if shown < found.stop else ""
    st.caption(
        t(
            "tune.axis_about",
            points=number(len(found.breakpoints)),
            flips=number(flips),
            never=number(never),
            start=number(found.start),
            stop=number(found.stop),
        )
        + first
    )


def _picked(found: Survival) -> None:
    """The item that was clicked: at which budgets it is in."""
    from ui.looking import picked_item

    life = found.life(picked_item() or "")
    if life is None:
        return
    with st.container(key="tune_item", border=True):
        st.markdown(f"{code(life.item.id)} · {life.item.source} · {number(life.item.tokens)}")
        spans = ", ".join(f"{number(a)}–{number(min(b - 1, found.stop))}" for a, b in life.spans[:12])
        st.caption(t("tune.item_in", spans=spans) if spans else t("draw.survival.never"))
        st.text(life.item.text[:600])
