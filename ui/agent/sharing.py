"""What is shared of an agent's run: a link to the step that is looked at, its build, and all steps."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from ctxcore.agent.step import Step
from ui.agent import place
from ui.sharing.files import File, draw_files, files_of
from ui.sharing.links import Link, draw_link
from ui.words import language, t


def fill(steps: Sequence[Step], at: int, is_linked: bool) -> None:
    """A run of the model at hand lies in this session only: no link holds it."""
    st.caption(t("share.what_step" if is_linked else "share.what_step_live", step=at))
    if is_linked:
        draw_link(Link(None, more=place.now()))
    lang = language()
    whole = File("steps", lambda: _json(steps, lang), "json", "application/json", "data_object")
    draw_files(t("share.files_step", step=at), f"step-{at}", *files_of(steps[at - 1].trace), whole)


def _json(steps: Sequence[Step], lang: str) -> bytes:
    told = {"schema": "ctxcore.steps/1", "steps": [step.to_json(lang) for step in steps]}
    return json.dumps(told, ensure_ascii=False, indent=1).encode("utf-8", "replace")
