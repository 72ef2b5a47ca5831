"""What is taken home from a view: the ledger as CSV, the treemap as a page that works from disk."""

from __future__ import annotations

import csv
from typing import Any

from ctxcore.reporting.cells import harmless
from ctxcore.trace import Trace
from ctxcore.words import sentence
from ui.looking import Looking
from ui.palette import SOURCES


def ledger_csv(trace: Trace, lang: str) -> bytes:
    """Every decision of every stage, one a row. Runs on a thread of its own, so the language is handed in."""
    import pandas as pd

    rows = [
        (snapshot.name, d.item, str(d.action), d.rule, sentence(d.rule, d.facts, lang), d.before, d.after)
        for snapshot in trace.snapshots
        for d in snapshot.decisions
    ]
    table = pd.DataFrame(rows, columns=["stage", "item", "action", "rule", "reason", "before", "after"])
    return csv_of(table)


def csv_of(table: Any) -> bytes:
    """Texts in quotes, so that a line break in one starts no row; with a mark for spreadsheets that it is UTF-8."""
    safe = table.rename(columns=lambda name: harmless(str(name)))
    for at, kind in enumerate(safe.dtypes):
        if kind.kind not in "iufb":
            safe.isetitem(at, [harmless(value) if isinstance(value, str) else value for value in safe.iloc[:, at]])
    return bytes(safe.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC).encode("utf-8-sig", "replace"))


def treemap_page(look: Looking) -> bytes:
    """Source → item, area = tokens, as a stand-alone page: no server, no network."""
    import plotly.graph_objects as go

    items = look.snapshot.items
    sources = list(dict.fromkeys(str(item.source) for item in items))
    totals = {source: sum(item.tokens for item in items if item.source == source) for source in sources}
    figure = go.Figure(
        go.Treemap(
            ids=[*sources, *(f"{item.source}/{item.id}" for item in items)],
            labels=[*sources, *(_label(item.id) for item in items)],
            parents=[*("" for _ in sources), *(str(item.source) for item in items)],
            values=[*totals.values(), *(item.tokens for item in items)],
            marker={"colors": [SOURCES[source].light for source in (*sources, *(item.source for item in items))]},
            branchvalues="total",
            texttemplate="%{label}<br>%{value:,}",
        )
    )
    figure.update_layout(
        title=f"{look.trace.system.name} · {look.snapshot.name}", margin={"t": 48, "l": 8, "r": 8, "b": 8}
    )
    page: str = figure.to_html(include_plotlyjs=True, full_html=True)
    return page.encode()


def _label(text: str) -> str:
    """Plotly reads a little HTML in labels; ids come from the user's file."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
