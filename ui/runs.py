"""The run that the workspace asks for: built once for a scenario and settings, and shared by all views."""

from __future__ import annotations

from typing import cast

import streamlit as st

from ctxcore import __version__
from ctxcore.build import build
from ctxcore.errors import StageError
from ctxcore.scenario import Scenario
from ctxcore.services import Services
from ctxcore.settings import Settings
from ctxcore.stages import OPTIONAL, STAGES
from ctxcore.systems import SYSTEMS
from ctxcore.trace import Trace
from ui.knowledge.in_pipeline import with_retriever
from ui.settings import summaries
from ui.sources.memory import with_memory
from ui.sources.scenarios import edits_of, scenario_of
from ui.workspace.workspace import Workspace

KEPT = 64  # traces in memory, of all users together; snapshots share their items, so one is small


def trace_of(workspace: Workspace) -> Trace:
    """Raises CtxError where the settings ask for what cannot be."""
    scenario, services = scenario_of(workspace), with_memory(with_retriever(summaries.services(), workspace))
    version = f"{__version__} {services.fingerprint if services else ''}"
    return _built(scenario.revision, settings_of(workspace), version, scenario, services)


@st.cache_resource(max_entries=KEPT, show_spinner=False, hash_funcs={Settings: repr})
def _built(revision: str, settings: Settings, version: str, _scenario: Scenario, _services: Services | None) -> Trace:
    try:
        return build(_scenario, settings, services=_services)
    except StageError as error:  # a stage raised: what came before it is shown, and the stage says what went wrong
        return cast(Trace, error.trace)


def settings_of(workspace: Workspace) -> Settings:
    """The workspace as the core takes it; limits of another system are left out."""
    system = SYSTEMS.get(workspace.system)
    limits = {limit.name for limit in system.offered} if system else set()
    pipeline = tuple(name for name in workspace.stages if name in STAGES)
    stages = {*OPTIONAL, *(pipeline or (stage.name for stage in system.repaired))} if system else set()
    return Settings(
        system=workspace.system,
        variant=workspace.variant,
        model=workspace.model,
        window=workspace.window,
        reserve=workspace.reserve,
        limits=tuple((name, str(value)) for name, value in sorted(workspace.limits.items()) if name in limits),
        options=tuple(
            (path, str(v)) for path, v in sorted(workspace.options.items()) if path.rpartition(".")[0] in stages
        ),
        stages=pipeline or None,
        pins=workspace.pins,
        mutes=workspace.mutes,
        priorities=tuple(sorted(workspace.priorities.items())),
        edits=edits_of(workspace),
    )
