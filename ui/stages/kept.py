"""Pipelines under a name: kept in the store, opened on any scenario, taken home as JSON or as a command line."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from typing import Any

import streamlit as st

from ctxcore.errors import CtxError, InputError
from ctxcore.importing.plain import Copier
from ctxcore.pipeline import Pipeline
from ui.runs import settings_of
from ui.store.shelf import Thing
from ui.words import literal, t
from ui.workspace import state
from ui.workspace.owner import owner
from ui.workspace.workspace import Workspace

KIND = "pipeline"  # on the shelf
CALL = "python -m ctxcore run FILE "


def draw_kept() -> None:
    """One line: which is open, save, export, import."""
    now = state.workspace()
    with st.container(key="pipeline_kept", horizontal=True, vertical_alignment="bottom", gap="small"):
        _open(now)
        _save(now)
        _take_home(now)


def kept() -> dict[str, Pipeline]:
    """By name, the newest first; one that a newer ctxcore kept and this one cannot read is left out."""
    found: dict[str, Pipeline] = {}
    for thing in state.store().things(owner(), KIND):
        try:
            found[thing.name] = replace(Pipeline.from_json(thing.body), name=thing.name)
        except CtxError:
            continue
    return found


def put_pipeline(pipeline: Pipeline) -> None:
    state.put(**changes_to(pipeline, state.workspace()))


def changes_to(pipeline: Pipeline, now: Workspace) -> dict[str, Any]:
    """Onto the workspace's scenario; limits stay where the system is the same."""
    return {
        "system": pipeline.system,
        "variant": pipeline.variant,
        "stages": pipeline.stages or (),
        "options": dict(pipeline.options),
        "limits": now.limits if pipeline.system == now.system else {},
        "stage": "",
        "run_to": "",
    }


def _now(now: Workspace, name: str = "") -> Pipeline:
    return Pipeline.of(name, settings_of(now))


def _open(now: Workspace) -> None:
    known = kept()
    here = replace(_now(now), name="")
    at = next((name for name, one in known.items() if replace(one, name="") == here), None)
    with st.container(key="pipeline_open", width=260):
        chosen = st.selectbox(
            t("pipeline.kept"),
            list(known),
            index=list(known).index(at) if at else None,
            placeholder=t("pipeline.none_kept") if not known else t("pipeline.pick"),
            key=state.key("stages", "kept", str(at), str(len(known))),
            disabled=not known,
        )
    if chosen and chosen != at:
        put_pipeline(known[chosen])
        st.rerun()


def _save(now: Workspace) -> None:
    with st.container(key="pipeline_save", width="content"), st.popover(t("pipeline.save"), icon=":material/save:"):
        name = st.text_input(t("pipeline.name"), max_chars=80, key="pipeline.name").strip()
        if st.button(t("pipeline.save"), key="pipeline.save", type="primary", disabled=not name):
            _keep(_now(now, name))
            state.notify("pipeline.saved", name=literal(name))
            st.rerun()


def _keep(pipeline: Pipeline) -> None:
    """Under its name; what had that name before is written over."""
    there = state.store().thing(owner(), KIND, pipeline.name) or Thing(owner(), KIND, pipeline.name, {})
    state.store().keep(replace(there, body=pipeline.to_json()))


def _take_home(now: Workspace) -> None:
    with st.container(key="pipeline_home", width="content"), st.popover(t("pipeline.home"), icon=":material/download:"):
        pipeline = _now(now, now.scenario and f"{now.system}-pipeline")
        text = json.dumps(pipeline.to_json(), ensure_ascii=False, indent=2)
        st.download_button(
            t("pipeline.json"), text, "pipeline.json", "application/json", key="pipeline.json", on_click="ignore"
        )
        st.code(CALL + shlex.join(pipeline.argv()), language="sh", wrap_lines=True)
        given = st.text_area(t("pipeline.paste"), key="pipeline.paste", height=120)
        if st.button(t("pipeline.open"), key="pipeline.open", disabled=not given.strip()):
            try:
                put_pipeline(Pipeline.from_json(_json(given)))
            except CtxError as error:
                st.error(literal(error.told))
                return
            st.rerun()


def _json(text: str) -> object:
    try:
        return Copier().copy(json.loads(text))
    except ValueError as cause:
        raise InputError("no-json", cause=cause) from cause
