"""A table as the app shows it, with a CSV that no spreadsheet takes for formulas (Streamlit's own does not see to that,
so that its button is hidden: ui/frame.py)."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.exports import csv_of
from ui.words import t


def draw_table(rows: Any, key: str, **more: Any) -> None:
    """As `st.dataframe`. `key` names the file too."""
    import pandas as pd

    table = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(rows)
    with st.container(key=f"table_{key.replace('.', '_')}", gap=None):
        st.dataframe(table, key=key, **{"hide_index": True, **more})
        with st.container(horizontal=True, horizontal_alignment="right"):
            st.download_button(
                t("table.csv"),
                lambda: csv_of(table),
                f"{key.replace('.', '-')}.csv",
                "text/csv",
                type="tertiary",
                key=f"{key}.csv",
                on_click="ignore",
                help=t("table.csv_help"),
            )
