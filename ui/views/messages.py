"""The payload to take along: in a provider's shape, as a scenario, or as Python that builds it again."""

from __future__ import annotations

import json

import streamlit as st

from ctxcore.exporting.exported import Exported
from ctxcore.exporting.targets import TARGETS, export, export_trace, with_form
from ctxcore.message import render
from ui.bill_table import draw_bill
from ui.looking import Looking
from ui.one_of import one_of
from ui.stages.steps import last_stage
from ui.words import number, t
from ui.workspace import state

SHOWN = 120_000  # characters that a browser shows at ease
OF_BUILD = ("scenario", "python")  # made of the whole build; the others of the stage that is looked at


def draw(look: Looking) -> None:
    payload = look.snapshot.payload
    if not payload.messages:
        last_stage(look, t("messages.not_yet"))
        return
    with st.container(key="view_messages"):
        with st.container(horizontal=True, vertical_alignment="center"):
            shape = _picked()
            st.space("stretch")
            made = _made(look, shape)
            is_program = isinstance(made.payload, str)
            text = made.payload if is_program else json.dumps(made.payload, ensure_ascii=False, indent=2)
            _download(look, shape, text)
        st.caption(
            t(f"messages.as_{shape}")
            + t("messages.count", messages=number(len(payload.messages)), characters=number(len(text)))
        )
        _losses(made)
        draw_bill(look.trace)
        if len(text) > SHOWN:
            st.caption(t("messages.cut", shown=number(SHOWN)))
        st.code(text[:SHOWN], language="python" if is_program else "json", height=560)


def _picked() -> str:
    labels = {name: t(f"messages.{name}") for name in TARGETS}
    place, now = "messages_shape", state.workspace().shape
    shape = one_of(labels, now, label=t("messages.shape"), place=place, key=state.key("shape"), width="content")
    state.change(shape=shape)
    return shape


def _made(look: Looking, shape: str) -> Exported:
    if shape in OF_BUILD:
        return export_trace(look.trace, shape)
    payload = look.snapshot.payload
    made = export([render(message) for message in payload.messages], payload.tools, shape, look.trace.model_name)
    return with_form(made, look.trace.scenario.response_format, shape)


def _download(look: Looking, shape: str, text: str) -> None:
    ending, mime = ("py", "text/x-python") if shape == "python" else ("json", "application/json")
    name = "scenario" if shape == "scenario" else "payload" if shape == "python" else f"request-{shape}"
    with st.container(key="messages_download", width="content"):
        st.download_button(
            t("messages.download"),
            text.encode("utf-8", "replace"),
            f"{name}.{ending}",
            mime,
            icon=":material/download:",
            type="tertiary",
            key="messages.download",
            on_click="ignore",
        )


def _losses(made: Exported) -> None:
    """What this shape cannot hold."""
    if made.losses:
        with st.expander(t("messages.losses", count=number(len(made.losses))), icon=":material/info:"):
            st.text("\n".join(made.losses))
