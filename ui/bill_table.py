"""The bill of the payload as the budget counts it, an OpenAI chat request: what each kind of cost comes to, and how
exact that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from ctxcore.counting.count import Bill, Row, count_request
from ctxcore.trace import Trace
from ui.readings import of_trace
from ui.tables import draw_table
from ui.words import number, t

_WORST = ("fallback", "approximate", "exact")


@dataclass(frozen=True)
class Line:
    kind: str
    rows: int
    tokens: int
    exactness: str


@of_trace
def _bill_of(trace: Trace) -> Bill:
    form = trace.scenario.response_format
    request = {"messages": trace.messages, "tools": [dict(tool) for tool in trace.tools], "response_format": form}
    return count_request(request, trace.model_name, "openai")


def draw_bill(trace: Trace) -> None:
    bill = _bill_of(trace)
    with (
        st.container(key="messages_bill"),
        st.expander(t("bill.title", total=number(bill.total)), icon=":material/receipt_long:"),
    ):
        draw_table(_table(lines_of(bill.rows), bill.total), "messages.bill", column_config=_columns())
        st.caption(_source(bill))


def _table(lines: Sequence[Line], total: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            t("bill.what"): [t(f"bill.kind.{line.kind}") for line in lines],
            t("bill.tokens"): [line.tokens for line in lines],
            t("bill.share"): [100 * line.tokens / max(1, total) for line in lines],
            t("bill.rows"): [line.rows for line in lines],
            t("bill.exactness"): [t(f"exact.{line.exactness}") for line in lines],
        }
    )


def _columns() -> dict[str, Any]:
    return {
        t("bill.tokens"): st.column_config.NumberColumn(format="localized"),
        t("bill.share"): st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=100),
    }


def lines_of(rows: Sequence[Row]) -> list[Line]:
    """One a kind of cost, the dearest first."""
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(_KINDS.get(row.rule, row.rule.partition("-")[0]), []).append(row)
    lines = [
        Line(kind, len(found), sum(r.tokens for r in found), min((r.exactness for r in found), key=_WORST.index))
        for kind, found in kinds.items()
    ]
    return sorted(lines, key=lambda line: -line.tokens)


_KINDS = {
    "arguments": "call",
    "tool-definition": "tool",
    "tool-json": "tool",
    "tool-block": "tool",
    "tool-choice": "tool",
    "thought-dropped": "dropped",
}


def _source(bill: Bill) -> str:
    told = t("bill.source", tokenizer=bill.tokenizer, source=bill.source or t("bill.fitted"))
    return f"{told} {t('bill.band', percent=round(100 * bill.band))}" if bill.band else told
