"""What is wrong with this run, as the articles would diagnose it: evidence, and what to do about it."""

from __future__ import annotations

import streamlit as st

from ctxcore.findings import Finding, findings_of_trace
from ctxcore.linting.policies import provider_of
from ctxcore.stages.repair import Repair, with_repair
from ctxcore.trace import Trace
from ui.alerts import Alerts, alerts_of
from ui.looking import Looking, pick
from ui.readings import of_trace
from ui.stages.order import kept_order, order_of
from ui.stages.problems import LOOKS
from ui.words import language, literal, t
from ui.workspace import state

SHOWN = 8  # items that a finding names


def draw(look: Looking) -> None:
    found = found_in(look.trace)
    with st.container(key="view_findings", gap="small"):
        refused = alerts_of(look.trace)
        _refused(look.trace, refused)
        _repair(look.trace, bool(refused.refused or refused.refused_before))
        if not found and not refused.refused:
            st.success(t("finding.none"), icon=":material/check_circle:")
        for at, one in enumerate(found):
            _finding(one, at)


def _refused(trace: Trace, alerts: Alerts) -> None:
    """What is refused, what came so already, and what of that the stage `repair` has mended."""
    is_mending = any(snapshot.name == Repair.name and not snapshot.skipped for snapshot in trace.snapshots)
    left = {error.message for error in alerts.refused}
    for name in ("refused", "refused_before"):
        for error in getattr(alerts, name)[:SHOWN]:
            is_mended = name == "refused_before" and is_mending and error.message not in left
            mark = ":gray[:material/check:]" if is_mended else ":red[:material/block:]"
            told = t("finding.mended") if is_mended else t(f"finding.{name}")
            where = f":gray[{literal(error.where)}]"
            st.markdown(f"{mark} {told} {literal(error.message)} {where}")


def _repair(trace: Trace, is_refused: bool) -> None:
    """One click puts the stage `repair` on the rail, or takes it off again."""
    now = state.workspace()
    order = order_of(now)
    is_on = Repair.name in order
    if not (is_on or is_refused):
        return
    with st.container(key="findings_repair"):
        label = t("finding.unrepair") if is_on else t("finding.repair")
        if st.button(label, icon=":material/build:", key="finding.repair", help=t("finding.repair_help")):
            if is_on:
                state.put(stages=kept_order(now, tuple(name for name in order if name != Repair.name)))
            else:
                options = {**now.options, f"{Repair.name}.provider": provider_of(trace.model.family)}
                state.put(stages=with_repair(order), options=options, stage=order[-1])
            st.rerun()


@of_trace
def found_in(trace: Trace) -> tuple[Finding, ...]:
    """Remembered for a trace: a repeated call is diagnosed by building the payload before it anew."""
    return findings_of_trace(trace)


def _finding(one: Finding, at: int) -> None:
    colour, icon = LOOKS.get(one.severity, LOOKS["info"])
    with st.container(border=True):
        st.markdown(f":{colour}[:material/{icon}:] **{literal(one.says(language()))}**")
        if one.remedy:
            st.markdown(f":material/healing: {literal(one.cure(language()))}")
        with st.container(horizontal=True, gap="xsmall"):
            for key in one.items[:SHOWN]:
                if st.button(literal(key), key=f"finding.{at}.{key}", type="tertiary", icon=":material/search:"):
                    pick(key)
                    st.rerun()
