"""What is shared as files: a run as report and ledger, and whatever else a page has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from ctxcore.reporting.ledger_markdown import ledger_markdown
from ctxcore.reporting.report import report
from ctxcore.trace import Trace
from ui.exports import ledger_csv
from ui.words import language, t


@dataclass(frozen=True)
class File:
    """`kind` is the key of its words. `make` runs on a thread of its own, when the button is pressed."""

    kind: str
    make: Callable[[], bytes | str]
    ending: str
    mime: str
    icon: str


def files_of(trace: Trace) -> tuple[File, ...]:
    lang = language()
    return (
        File("report", partial(_report, trace, lang), "html", "text/html", "lab_profile"),
        File("markdown", partial(_markdown, trace, lang), "md", "text/markdown", "article"),
        File("csv", partial(ledger_csv, trace, lang), "csv", "text/csv", "table"),
    )


def draw_files(title: str, name: str, *files: File) -> None:
    """`name` of the files, without their ending."""
    st.caption(title)
    rows = st.container(gap=None)
    for one in files:
        with rows, st.container(key=f"share_{one.kind}"):
            st.download_button(
                t(f"share.{one.kind}"),
                one.make,
                f"{name}.{one.ending}",
                one.mime,
                icon=f":material/{one.icon}:",
                type="tertiary",
                key=f"share.{one.kind}",
                on_click="ignore",
                help=t(f"share.{one.kind}_help"),
            )


def _report(trace: Trace, lang: str) -> bytes:
    return report(trace, lang).encode("utf-8", "replace")


def _markdown(trace: Trace, lang: str) -> bytes:
    return ledger_markdown(trace, lang).encode("utf-8", "replace")
