"""A stage's condition as a field: the stage runs only where it holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ctxcore.condition import NEVER, check
from ctxcore.errors import CtxError
from ui.words import literal, t

SUCH_AS = "tokens > 4000"


def draw_when(stage: str, options: Mapping[str, Any], area: str, key: str) -> dict[str, Any] | None:
    """The options with the condition that was typed; None where it is as before, or no condition. What was switched
    off for good (`never`) reads as empty."""
    path = f"{stage}.when"
    held = str(options.get(path, ""))
    now = "" if held == NEVER else held
    with st.container(key=area):
        typed = st.text_input(t("pipeline.when"), now, placeholder=SUCH_AS, help=t("pipeline.when_help"), key=key)
    new = typed.strip()
    if new == now:
        return None
    try:
        if new:
            check(new)
    except CtxError as error:
        st.error(literal(error.told))
        return None
    rest = {name: value for name, value in options.items() if name != path}
    return {**rest, path: new} if new else rest
