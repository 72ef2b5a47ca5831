"""A Plotly chart as the app shows it: without a bar of its own, with its picture to take home."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.components import Mount, chart_picture, component_words
from ui.words import language


def draw_chart(figure: Any, key: str, **more: Any) -> Any:
    """What `st.plotly_chart` gives. `key` names the file too."""
    place = f"chart_{key.replace('.', '_')}"
    with st.container(key=place, gap=None):
        event = st.plotly_chart(figure, key=key, **{"config": {"displayModeBar": False}, **more})
        chart_picture(place, key.replace(".", "-"), Mount(f"{key}.picture", component_words(language())))
    return event
