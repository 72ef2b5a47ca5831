"""Share: a link that opens this view, and the run as files."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ctxcore.errors import CtxError
from ctxcore.reporting.ledger_markdown import ledger_markdown
from ctxcore.reporting.report import report
from ctxcore.trace import Trace
from ui.exports import ledger_csv
from ui.runs import trace_of
from ui.words import language, literal, t
from ui.workspace import link, state
from ui.workspace.owner import owner
from ui.workspace.workspace import Workspace

MADE = "_link_made"  # of the session: for which view, and the link


def draw_share() -> None:
    with st.container(key="frame_share", width="content"):
        icon = ":material/ios_share:"
        panel = st.popover(t("share.title"), icon=icon, type="tertiary", key="share", on_change="rerun")
    if not panel.open:
        return
    with panel:
        _link(state.workspace())
        try:
            _files(trace_of(state.workspace()))
        except CtxError as error:
            st.caption(literal(error.told))


def _link(now: Workspace) -> None:
    view, (of, made) = link.share(now, state.id_of_tab()), st.session_state.get(MADE, (None, ""))
    with st.container(key="share_link"):
        if st.button(t("share.link"), icon=":material/link:", key="share.link", type="primary"):
            of, made = st.session_state[MADE] = (view, address_of(now))
        if of != view:  # another view than the one that the link is of
            return
        if made:
            st.code(made, language=None, wrap_lines=True)
            st.caption(t("share.by_state" if f"?{link.STATE}=" in made else "share.by_store"))
        else:
            st.warning(t("share.no_store"), icon=":material/cloud_off:")


def address_of(now: Workspace) -> str:
    """Small views stand in the link itself; "" where a larger one cannot be kept at the moment."""
    page = str(st.context.url or "").partition("?")[0]
    if (small := link.write(now)) is not None:
        return f"{page}?{link.STATE}={small}"
    id = state.store().share(owner(), link.share(now, state.id_of_tab()))
    return f"{page}?{link.SHARE}={id}" if id else ""


def _files(trace: Trace) -> None:
    name, lang = trace.scenario.name or "run", language()
    files = {
        "report": (partial(_report, trace, lang), "html", "text/html", "lab_profile"),
        "markdown": (partial(_markdown, trace, lang), "md", "text/markdown", "article"),
        "csv": (partial(ledger_csv, trace, lang), "csv", "text/csv", "table"),
    }
    st.caption(t("share.files"))
    rows = st.container(gap=None)
    for kind, (make, ending, mime, icon) in files.items():
        with rows, st.container(key=f"share_{kind}"):
            st.download_button(
                t(f"share.{kind}"),
                make,
                f"{name}.{ending}",
                mime,
                icon=f":material/{icon}:",
                type="tertiary",
                key=f"share.{kind}",
                on_click="ignore",
                help=t(f"share.{kind}_help"),
            )


def _report(trace: Trace, lang: str) -> bytes:
    return report(trace, lang).encode("utf-8", "replace")


def _markdown(trace: Trace, lang: str) -> bytes:
    return ledger_markdown(trace, lang).encode("utf-8", "replace")
