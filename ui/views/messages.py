"""The messages as JSON, to copy or to download."""

from __future__ import annotations

import json

import streamlit as st

from ctxcore.message import render
from ui.looking import Looking
from ui.steps import last_stage
from ui.words import number, t

SHOWN = 120_000  # characters that a browser shows at ease


def draw(look: Looking) -> None:
    payload = look.snapshot.payload
    if not payload.messages:
        last_stage(look, t("messages.not_yet"))
        return
    request = {"model": look.trace.model_name, "messages": [render(message) for message in payload.messages]}
    if payload.tools:
        request["tools"] = [dict(tool) for tool in payload.tools]
    text = json.dumps(request, ensure_ascii=False, indent=2)
    with st.container(key="view_messages"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                t("messages.count", messages=number(len(payload.messages)), characters=number(len(text))),
                width="content",
            )
            st.download_button(
                t("messages.download"),
                text,
                "request.json",
                "application/json",
                icon=":material/download:",
                type="tertiary",
                key="messages.download",
                on_click="ignore",
            )
        if len(text) > SHOWN:
            st.caption(t("messages.cut", shown=number(SHOWN)))
        st.code(text[:SHOWN], language="json", height=560)
