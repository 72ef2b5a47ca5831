"""What a run cost, beside the same task without management; and what is wrong with either."""

from __future__ import annotations

import streamlit as st

from ctxcore.agent.metrics import Comparison, Metrics
from ctxcore.findings import findings_of_run
from ui.agent.episodes import Run
from ui.stages.problems import LOOKS
from ui.tables import draw_csv
from ui.words import language, literal, number, t

ROWS = ("peak", "growth", "repeated", "total", "steps", "finished")


def draw_metrics(both: Comparison) -> None:
    st.markdown(t("metric.title"))
    head = f"| | {t('agent.managed')} | {t('agent.unmanaged')} |\n| --- | ---: | ---: |\n"
    rows = "\n".join(
        f"| **{t(f'metric.{row}')}** :gray[{t(f'metric.{row}.means')}] "
        f"| {_value(both.managed, row)} | {_value(both.unmanaged, row)} |"
        for row in ROWS
    )
    with st.container(key="agent_metrics"):
        st.markdown(head + rows)
        names = {row: t(f"metric.{row}") for row in ROWS}
        sides = {t("agent.managed"): both.managed, t("agent.unmanaged"): both.unmanaged}
        table = {"": list(names.values()), **{name: [_value(one, row) for row in names] for name, one in sides.items()}}
        draw_csv(lambda: table, "agent.metrics")
    st.caption(t("metric.claimed"))


def _value(found: Metrics, row: str) -> str:
    if not found.steps:
        return "–"
    if row == "finished":
        return t("metric.yes") if found.finished else t(f"ended.{found.ended}")
    values = {
        "peak": number(found.peak),
        "growth": f"{found.growth:+,.0f}",
        "repeated": f"{100 * found.repeated_rate:.0f} %",
        "total": number(found.total),
        "steps": str(found.steps),
    }
    return values[row]


def draw_findings(managed: Run, unmanaged: Run) -> None:
    with st.container(key="agent_findings"):
        for name, run in (("managed", managed), ("unmanaged", unmanaged)):
            if not run:
                continue
            found = findings_of_run(run)
            st.markdown(t("finding.title", run=t(f"agent.{name}"), count=len(found)))
            for one in found:
                colour, icon = LOOKS.get(one.severity, LOOKS["info"])
                step = f" :gray[{t('agent.step')} {one.step}]" if one.step else ""
                st.markdown(
                    f":{colour}[:material/{icon}:] {literal(one.says(language()))}{step}  \n"
                    f":gray[{literal(one.cure(language()))}]"
                )
