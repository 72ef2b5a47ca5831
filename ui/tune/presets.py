"""Take it home: budgets under a name, kept in the store, copied as JSON, flags or Python, applied to any scenario."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

import streamlit as st

from ctxcore.systems import SYSTEMS
from ctxcore.trace import Trace
from ui.store import Thing
from ui.words import literal, number, t
from ui.workspace import state
from ui.workspace.owner import owner
from ui.workspace.workspace import Workspace

KIND = "budget"
FIELDS = ("system", "variant", "model", "window", "reserve", "limits")


def draw(trace: Trace) -> None:
    now = budget_of(state.workspace())
    st.caption(t("presets.about"))
    with st.container(key="presets_save", horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(t("presets.name"), key="presets.name", max_chars=80, placeholder=t("presets.hint"))
        if st.button(t("presets.save"), icon=":material/bookmark_add:", key="presets.save", disabled=not name.strip()):
            keep(name.strip(), now)
            st.rerun()
    _home(now, "now")
    for thing in state.store().things(owner(), KIND):
        _preset(thing)


def budget_of(workspace: Workspace) -> dict[str, Any]:
    """What of the workspace is budget: plain values, no texts."""
    plain = workspace.to_plain()
    return {name: plain[name] for name in FIELDS}


def keep(name: str, budget: Mapping[str, Any]) -> None:
    """Under its name; one of that name is replaced."""
    known = state.store().thing(owner(), KIND, name)
    state.store().keep(Thing(owner(), KIND, name, dict(budget), known.rev if known else 0))


def _preset(thing: Thing) -> None:
    with st.container(key=f"preset_{thing.name}", border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            body = thing.body
            st.markdown(
                f"**{literal(thing.name)}** · {body['system']} · {number(int(body['window']))}", width="content"
            )
            st.space("stretch")
            if st.button(
                t("presets.apply"), icon=":material/check:", key=f"preset.apply.{thing.name}", type="tertiary"
            ):
                apply(body)
                st.rerun()
            if st.button(
                t("presets.delete"), icon=":material/delete:", key=f"preset.delete.{thing.name}", type="tertiary"
            ):
                state.store().throw_away(owner(), KIND, thing.name)
                st.rerun()
        _home(body, thing.name)


def apply(budget: Mapping[str, Any]) -> None:
    state.put(**changes_to(budget, state.workspace()))


def changes_to(budget: Mapping[str, Any], now: Workspace) -> dict[str, Any]:
    """To the scenario that is open, whichever it is. What is of another system goes, as when one picks a system."""
    given = Workspace.from_plain({**now.to_plain(), **budget})
    if given.system not in SYSTEMS:
        return {}
    changes: dict[str, Any] = {name: getattr(given, name) for name in FIELDS}
    if given.system != now.system:
        changes |= {"options": {}, "stages": (), "stage": "", "run_to": "", "edits": ()}
    return changes


def _home(budget: Mapping[str, Any], key: str) -> None:
    with st.expander(t("presets.copy"), icon=":material/content_copy:", key=f"presets.copy.{key}"):
        st.code(json.dumps(budget, indent=2), language="json")
        st.code(flags(budget), language="bash", wrap_lines=True)
        st.code(python(budget), language="python")


def flags(budget: Mapping[str, Any]) -> str:
    """The same budget for the command line: append it to `python -m ctxcore run FILE`."""
    out = ["--system", budget["system"], "--variant", budget["variant"], "--model", budget["model"]]
    out += ["--window", str(budget["window"])]
    out += ["--reserve", str(budget["reserve"])] if budget["reserve"] is not None else []
    for name, value in budget["limits"].items():
        out += ["--limit", f"{name}={value}"]
    return shlex.join(out)


def python(budget: Mapping[str, Any]) -> str:
    given = ",\n    ".join(f"{name}={value!r}" for name, value in budget.items() if value not in (None, {}))
    return f'from ctxcore import Scenario, build\n\ntrace = build(\n    Scenario.load("chat.json"),\n    {given},\n)'
