"""Versions of a system prompt and its tools: one against another or the present one, and both through the pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ctxcore.comparing.rows import diff_rows
from ctxcore.counting.tokens import counter_for
from ctxcore.scenario import Scenario
from ui.components import Mount, component_words, diff_view
from ui.library import bodies
from ui.library.keeping import draw_keep
from ui.sources.scenarios import keep_scenario, save_scenario, scenario_of
from ui.store import Thing
from ui.words import language, literal, t
from ui.workspace import state
from ui.workspace.owner import owner

KIND = "prompt"  # on the shelf
PRESENT = ""  # option: what the open scenario has


@dataclass(frozen=True, slots=True)
class _Part:
    id: str
    source: str
    text: str
    tokens: int


def draw_prompt(thing: Thing) -> None:
    now = state.workspace()
    present = bodies.prompt(scenario_of(now), now.model)
    versions = {one.name: one.body for one in state.store().things(owner(), KIND) if one.name != thing.name}
    labels = {**{name: name for name in versions}, PRESENT: t("library.prompt.present", name=now.scenario)}
    with st.container(key="library_prompt", horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(key="library_prompt_other", width=320):
            other = st.selectbox(
                t("library.prompt.against"),
                list(labels),
                format_func=labels.__getitem__,
                key=f"library.prompt.{thing.name}",
            )
        if st.button(t("library.prompt.both"), icon=":material/compare_arrows:", key="library.prompt.both"):
            _compare(thing, versions.get(other or PRESENT))
    before = versions.get(other or PRESENT, present)
    rows = diff_rows(_parts(before, now.model), _parts(thing.body, now.model))
    if not any(row.action != "same" for row in rows):
        st.caption(t("library.prompt.same"))
        return
    mount = Mount("library.prompt.diff", component_words(language()), height=360)
    diff_view(rows, mount, before=labels[other or PRESENT], after=thing.name)


def draw_versions(scenario: Scenario, model: str) -> None:
    """Beside the system prompt: the version that is open, others to switch to, and keeping this one."""
    versions = {one.name: one.body for one in state.store().things(owner(), KIND)}
    now = bodies.texts_of(bodies.prompt(scenario, model))
    at = next((name for name, body in versions.items() if bodies.texts_of(body) == now), None)
    with st.container(key="sources_versions", horizontal=True, vertical_alignment="bottom", gap="small"):
        if versions:
            with st.container(key="sources_version", width=320):
                chosen = st.selectbox(
                    t("library.prompt.version"),
                    list(versions),
                    index=list(versions).index(at) if at else None,
                    placeholder=t("library.prompt.unkept"),
                    key=state.key("revision", "version", str(at), str(len(versions))),
                )
            if chosen and chosen != at:
                save_scenario(bodies.with_prompt(scenario, versions[chosen]), renew=True)
                st.rerun()
        draw_keep(KIND, f"{scenario.name} v1", lambda: bodies.prompt(scenario, model))


def _parts(body: Mapping[str, Any], model: str) -> list[_Part]:
    count = counter_for(model).count
    return [_Part(name, "system", text, count(text)) for name, text in bodies.texts_of(body).items() if text]


def _compare(thing: Thing, other: Mapping[str, Any] | None) -> None:
    """Compare's first side has the other version, or what is open; its second side this one."""
    scenario = scenario_of(state.workspace())
    changes: dict[str, Any] = {}
    if other is not None:
        changes = {"revision": keep_scenario(bodies.with_prompt(scenario, other)), "scenario": scenario.name}
    side = keep_scenario(bodies.with_prompt(scenario, thing.body))
    state.put(other={"revision": side, "scenario": scenario.name}, demo="", part="payload", **changes)
    state.notify("library.prompt.compared", name=literal(thing.name))
    st.switch_page("pages/debug/compare.py")
