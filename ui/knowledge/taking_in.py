"""Documents come in: files or a whole folder dropped, or a text pasted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ctxcore.importing.folder import read_files
from ctxcore.scenario import Record
from ui.knowledge import bases
from ui.knowledge.bases import Base
from ui.words import literal, number, t
from ui.workspace import state

DROPS, PROBLEMS = "_knowledge_drops", "_knowledge_problems"  # of the session
SHOWN = 5  # problems


def draw(base: Base | None) -> None:
    """The form; a base that is there gets the new documents as well, if its name stays."""
    drops = st.session_state.setdefault(DROPS, 0)
    with st.container(border=True, key="knowledge_add"):
        name = st.text_input(
            t("knowledge.name"), base.name if base else t("knowledge.first"), key=f"knowledge.name.{drops}"
        )
        files, folder = st.columns(2)
        with files, st.container(key="knowledge_files"):
            dropped = st.file_uploader(
                t("knowledge.files"), accept_multiple_files=True, max_upload_size=20, key=f"knowledge.files.{drops}"
            )
        with folder, st.container(key="knowledge_folder"):
            inside = st.file_uploader(
                t("knowledge.folder"),
                accept_multiple_files="directory",
                max_upload_size=20,
                key=f"knowledge.folder.{drops}",
            )
        with st.container(key="knowledge_paste"):
            pasted = st.text_area(t("knowledge.paste"), height=110, key=f"knowledge.paste.{drops}")
        st.caption(t("knowledge.kinds"))
        with st.container(key="knowledge_take"):
            wanted = st.button(t("knowledge.take"), type="primary", icon=":material/add:", key="knowledge.take")
    for gone in bases.names(trashed=True)[:SHOWN]:
        with st.container(key=f"knowledge_restore_{gone}", width="content"):
            again = st.button(
                t("knowledge.restore", name=literal(gone)),
                icon=":material/restore_from_trash:",
                type="tertiary",
                key=f"knowledge.restore.{gone}",
            )
        if again:
            bases.restore(gone)
            st.rerun()
    if wanted:
        _take(base, name.strip() or t("knowledge.first"), _files([*dropped, *inside], pasted))


def _files(dropped: Sequence[Any], pasted: str) -> list[tuple[str, bytes]]:
    files = [(str(file.name), file.getvalue()) for file in dropped]
    if pasted.strip():
        title = pasted.strip().splitlines()[0].strip("# ")[:60]
        files.append((f"{title}.md", pasted.encode("utf-8", "replace")))
    return files


def _take(base: Base | None, name: str, files: list[tuple[str, bytes]]) -> None:
    records, problems = read_files(files)
    st.session_state[PROBLEMS] = list(problems)
    if records:
        same = base is not None and base.name == name
        before: tuple[Record, ...] = base.documents if base and same else ()
        new = {record.title for record in records}
        kept = tuple(record for record in before if record.title not in new)  # a file that comes again replaces itself
        bases.keep(name, (*kept, *records), base.questions if base and same else ())
        st.session_state[DROPS] += 1
        state.notify("knowledge.taken", count=number(len(records)))
        st.rerun()


def show_problems() -> None:
    """What of the last files could not be read, until something else is taken in."""
    problems: list[str] = st.session_state.get(PROBLEMS, [])
    if problems:
        more = len(problems) - SHOWN
        lines = [literal(problem) for problem in problems[:SHOWN]] + (
            [t("knowledge.more", count=more)] if more > 0 else []
        )
        st.warning("\n\n".join(lines), title=t("knowledge.problems", count=len(problems)), icon=":material/warning:")
