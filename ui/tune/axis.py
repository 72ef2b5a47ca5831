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
from ui.components.survival_chart import AT, near, survival_chart
from ui.looking import pick
from ui.runs import settings_of
from ui.settings import summaries
from ui.sources.scenarios import scenario_of
from ui.words import code, language, number, t
from ui.workspace import state

NEAR, LEAST = 3, 2_000  # how many times the present budget the picture reaches at first; tokens at least
TRIES = 40  # builds before the picture is shown; more are asked for with a click


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
    asked, everything = settings_of(now), f"tune.all.{over}"
    tries = None if st.session_state.get(everything) == (now.revision, asked) else TRIES
    present = trace.budget.window if over == WINDOW else trace.budget.cap(over)
    with st.container(key="tune_whole"):
        whole = st.toggle(t("tune.whole"), key="tune.whole", help=t("tune.whole_help"))
    within = None if whole else max(NEAR * present, LEAST)
    scenario = scenario_of(now)
    found = _survival(scenario.revision, asked, over, (tries, within), __version__, scenario, summaries.services())
    share = over != WINDOW and trace.budget.limit(over).share is not None
    with st.container(key="tune_survival"):
        mount = Mount("survival", component_words(language()), height=520, on_pick=_apply(over, trace, share))
        survival_chart(found, mount, share=share, revision=f"{hash((scenario.revision, repr(asked), over)):x}")
    _say(found)
    if found.unproven and tries is not None:
        with st.container(key="tune_prove"):
            words = "tune.unproven" if found.filled else "tune.untried"
            st.caption(t(words, count=number(found.unproven)))
            if st.button(t("tune.prove"), key="tune.prove", type="tertiary", icon=":material/rule:"):
                st.session_state[everything] = (now.revision, asked)
                st.rerun()
    _picked(found)


@st.cache_resource(max_entries=32, show_spinner="…", hash_funcs={Settings: repr})
def _survival(
    revision: str,
    settings: Settings,
    over: str,
    effort: tuple[int | None, int | None],
    version: str,
    _scenario: Scenario,
    _services: Services | None,
) -> Survival:
    tries, within = effort
    return survival(_scenario, settings, over, tries=tries, within=within, services=_services)


def _apply(over: str, trace: Trace, share: bool):
    """What a click in the picture does: a budget is set, an item is looked at."""

    def picked(what: str) -> None:
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
