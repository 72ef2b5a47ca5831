"""A table as the app shows it, with a CSV that no spreadsheet takes for formulas (Streamlit's own does not see to that,
so that its button is hidden: ui/frame.py)."""

from __future__ import annotations

from collections.abc import Callable
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
        draw_csv(lambda: table, key)


def draw_csv(make: Callable[[], Any], key: str) -> None:
    """The button alone, below a table that is drawn otherwise. `make` gives a frame, or its columns; it runs on a
    thread of its own, where no words are to be had."""
    import pandas as pd

    with st.container(horizontal=True, horizontal_alignment="right"):
        st.download_button(
            t("table.csv"),
            lambda: csv_of(pd.DataFrame(make())),
            f"{key.replace('.', '-')}.csv",
            "text/csv",
            type="tertiary",
            key=f"{key}.csv",
            on_click="ignore",
            help=t("table.csv_help"),
        )
