"""What is shared of a measurement: the layout under its curve as a link, the curve and the answers as files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from ctxcore.measuring.measured import Measured
from ui.exports import csv_of
from ui.measure.measured import layout_under
from ui.sharing.files import File, draw_files
from ui.sharing.links import Link, draw_link
from ui.words import t
from ui.workspace import state


def fill(curves: Sequence[Measured]) -> None:
    st.caption(t("share.what_curve"))
    with st.container(key="share_curve"):
        labels = [one.name for one in curves]
        at = st.selectbox(
            t("share.curve"),
            range(len(labels)),
            format_func=labels.__getitem__,
            key="share.curve",
            label_visibility="collapsed",
        )
    one, now = curves[at], state.workspace()
    if shown := layout_under(one, now):
        draw_link(Link(replace(now, **shown), page=""))
    draw_files(
        t("share.files_curve"),
        "curve",
        File(
            "curve_json",
            lambda: json.dumps(one.to_json(), ensure_ascii=False),
            "json",
            "application/json",
            "data_object",
        ),
        File("curve_csv", lambda: _answers(one), "csv", "text/csv", "table"),
    )


def _answers(one: Measured) -> bytes:
    import pandas as pd

    return csv_of(pd.DataFrame([seen.to_json() for seen in one.seen]))
