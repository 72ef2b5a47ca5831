"""Which stage is looked at, and how far the pipeline has been run: step mode."""

from __future__ import annotations

import streamlit as st

from ctxcore.decision import Action
from ctxcore.running import Snapshot
from ctxcore.stages.media_limit import MediaLimit
from ctxcore.stages.muted import Muted
from ctxcore.trace import Trace
from ui.alerts import lights_of_facts
from ui.components import Mount, RailStage, component_words, rail
from ui.looking import Looking
from ui.said import says
from ui.signs import sign
from ui.words import language, t
from ui.workspace import state
from ui.workspace.baseline import baseline
from ui.workspace.workspace import Workspace

LOSSES = (Action.DROPPED, Action.COMPRESSED, Action.TRUNCATED)


def names_of(trace: Trace) -> list[str]:
    return [snapshot.name for snapshot in trace.snapshots]


def run_to(trace: Trace, workspace: Workspace) -> int:
    """Index of the last stage that was run."""
    names = names_of(trace)
    return names.index(workspace.run_to) if workspace.run_to in names else len(names) - 1


def picked(trace: Trace, workspace: Workspace) -> int:
    """Index of the stage looked at: the one picked, if it was run; or else the first that lets something go, where
    there is most to see; or else the last that was run."""
    names, last = names_of(trace), run_to(trace, workspace)
    if workspace.stage in names:
        return min(names.index(workspace.stage), last)
    lossy = (at for at, snapshot in enumerate(trace.snapshots[: last + 1]) if _loses(snapshot))
    return next(lossy, last)


def _loses(snapshot: Snapshot) -> bool:
    return any(record.action in LOSSES for record in snapshot.payload.records)


def draw_rail(trace: Trace, workspace: Workspace) -> None:
    """The stages with what went in and came out; a click or an arrow key picks one."""
    names, last, before = names_of(trace), run_to(trace, workspace), baseline()
    with st.container(key="stage_pick"):
        chosen = rail(
            [_stage(trace, snapshot, before) for snapshot in trace.snapshots],
            Mount("rail", component_words(language()), selected=names[picked(trace, workspace)], on_pick=_pick),
            run_to=names[last],
        )
    if chosen in names and chosen != workspace.stage:
        _pick(chosen)


def draw_steps(trace: Trace, workspace: Workspace) -> None:
    """Back, Next, Run all, and the arrow keys for them."""
    at, names = picked(trace, workspace), names_of(trace)
    back = _button("back", ":material/arrow_back:", "Left", at == 0)
    ahead = _button("next", ":material/arrow_forward:", "Right", at == len(names) - 1)
    whole = _button("all", ":material/done_all:", None, run_to(trace, workspace) == len(names) - 1)
    again = _button("again", ":material/replay:", None, at == 0 and run_to(trace, workspace) == 0)
    if back:
        step_to(names[at - 1], names[max(at - 1, 0)])
    elif ahead:
        step_to(names[at + 1], names[max(at + 1, 0)] if run_to(trace, workspace) <= at else workspace.run_to)
    elif whole:
        step_to(names[-1], "")
    elif again:
        step_to(names[0], names[0])


def step_to(stage: str, last: str) -> None:
    state.change(stage=stage, run_to=last)
    st.rerun()


def _button(name: str, icon: str, shortcut: str | None, disabled: bool) -> bool:
    """Back and Next in words; the rest as a sign with its meaning as help."""
    label, key = t(f"step.{name}"), f"step.{name}"
    with st.container(key=f"stage_{name}", width="content"):
        if not shortcut:
            return sign(icon, label, key, disabled=disabled)
        return st.button(label, icon=icon, shortcut=shortcut, disabled=disabled, key=key)


def _pick(name: str) -> None:
    state.change(stage=name)


def _stage(trace: Trace, snapshot: Snapshot, before: Trace | None) -> RailStage:
    problems = trace.problems_of(snapshot)
    ranked = sorted((p.severity for p in problems), key=("error", "warning", "info").index)
    return RailStage(
        snapshot.name,
        (len(snapshot.before.items), len(snapshot.items)),
        (snapshot.tokens_before, snapshot.tokens_after),
        snapshot.seconds,
        problems=len(problems),
        severity=ranked[0] if ranked else "info",
        skipped=bool(snapshot.skipped),
        ran=snapshot.skipped != "not-run",
        reason=says(snapshot.skipped, {}) if snapshot.skipped else "",
        label=_label(snapshot.name),
        change=_change(snapshot, before),
        lights=tuple(dict(lights)[snapshot.name] for lights in lights_of_facts(trace).values()),
    )


def _change(snapshot: Snapshot, before: Trace | None) -> str:
    """Tokens that come out of the stage, against the same stage of the baseline."""
    then = next((one for one in before.snapshots if one.name == snapshot.name), None) if before else None
    if then is None or snapshot.skipped or then.tokens_after == snapshot.tokens_after:
        return ""
    return t("baseline.short", change=f"{snapshot.tokens_after - then.tokens_after:+,}")


def _label(name: str) -> str:
    if name in (Muted.name, MediaLimit.name):
        return t("step.muted" if name == Muted.name else "step.media_limit")
    return t("step.your_edit") if name.startswith("edit-") else ""


def last_stage(look: Looking, why: str) -> None:
    """Where a view needs the messages: what it waits for, and the way there."""
    st.info(why, icon=":material/info:")
    with st.container(key="stage_last"):
        if st.button(t("step.last"), icon=":material/last_page:", key="step.last"):
            step_to(names_of(look.trace)[-1], "")
