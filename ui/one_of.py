"""A pick of one among a few, side by side, without a label of its own: of a view, a section, a colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import streamlit as st


def one_of(
    labels: Mapping[str, str],
    now: str,
    *,
    label: str,
    place: str,
    key: str,
    width: Literal["content", "stretch"] = "stretch",
) -> str:
    """One of `labels` (name → words), `now` at first, or the first of them. `label` is for those who listen; `place` is
    the container in which tests find it."""
    with st.container(key=place, width=width):
        picked = st.segmented_control(
            label,
            list(labels),
            default=now if now in labels else next(iter(labels)),
            required=True,
            format_func=labels.__getitem__,
            key=key,
            label_visibility="collapsed",
            wrap=True,
        )
    return str(picked)
