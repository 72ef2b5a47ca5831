"""Takes in what people have: a pasted text or a dropped file of any format that ctxcore reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import streamlit as st

from ctxcore import importing
from ctxcore.errors import InputError, WhichConversationError
from ctxcore.importing.conversations import Opened
from ctxcore.scenario import RECORDS, Scenario
from ui.frame import boundary
from ui.said import spoken
from ui.sources.fields import counted
from ui.sources.scenarios import is_edited, open_scenario
from ui.words import literal, number, t
from ui.workspace import state

MAX_BYTES = 50 * 1024 * 1024  # as in .streamlit/config.toml, which only the browser obeys
MOST = 200_000  # messages and records: some 6 KB of memory each, with their traces
DROPS = "_sources_drops"  # how many files were taken in: a new uploader each time, or the file would come again
SEEN = "_sources_seen"  # the last file that was dropped: it is read once, and not again because something else changes
TRIED = "_sources_tried"  # what was read last and could not be opened yet; what comes after it clears its error
KEPT = "_sources_kept"  # the file that is open, where it can be read in other ways: what was given, and these ways
OPENED = "_sources_opened"  # set in the run that opened something: the next one empties the text field


@dataclass(frozen=True, slots=True)
class Given:
    """A file or a text that is to be read. `id` tells it from the others."""

    id: str
    data: bytes | str
    name: str = ""  # the file's; "" = a pasted text

    @property
    def size(self) -> int:
        return len(self.data if isinstance(self.data, bytes) else self.data.encode("utf-8", "replace"))


def take_in(scenario: Scenario) -> None:
    head = st.container()
    st.caption(t("sources.formats"))
    file = _dropped()
    below_file = st.container()
    text, wanted = _pasted()
    if wanted and text:
        st.session_state[TRIED] = text.id
    elif file and st.session_state.get(SEEN) != file.id:
        st.session_state[SEEN] = st.session_state[TRIED] = file.id
    tried = st.session_state.get(TRIED)
    if file and file.id == tried:
        with below_file, boundary():
            _take(file)
    elif text and text.id == tried:
        with boundary():
            _take(text)
    else:  # beside an error or a question, that the one before is open would be taken for the answer
        with head:
            _say_opened(scenario)


def _dropped() -> Given | None:
    drops = st.session_state.setdefault(DROPS, 0)
    with st.container(key="sources_drop"):
        file = st.file_uploader(t("sources.drop"), key=f"sources.drop.{drops}", max_upload_size=50)
    return Given(file.file_id, file.getvalue(), file.name) if file else None


def _pasted() -> tuple[Given | None, bool]:
    """The text, and whether it is to be opened."""
    if st.session_state.pop(OPENED, False):
        st.session_state["sources.paste"] = ""
    with st.container(key="sources_paste"):
        text = st.text_area(t("sources.paste"), height=220, key="sources.paste", placeholder=t("sources.paste_hint"))
    with st.container(key="sources_open"):
        wanted = st.button(t("sources.open"), type="primary", icon=":material/input:", key="sources.open")
    digest = sha256(text.encode("utf-8", "replace")).hexdigest()
    return (Given(digest, text) if text.strip() else None), wanted


def _take(given: Given, conversation: int | None = None) -> None:
    """Reads and opens it. Where it cannot be read, says so; where it holds several conversations, asks which."""
    title = t("sources.cannot_read", name=literal(given.name)) if given.name else t("sources.cannot_read_text")
    if given.size > MAX_BYTES:
        st.error(t("sources.too_large", size=number(given.size), most=number(MAX_BYTES)), title=title)
        return
    try:
        opened = importing.opened(given.data, name=given.name, conversation=conversation)
    except WhichConversationError as error:
        which = _asked(given, error.conversations)
        if which is not None:
            _take(given, which)
    except InputError as error:
        st.error(literal(error.told), title=title, icon=":material/info:")
    else:
        count = len(opened.scenario.messages) + sum(1 for _ in opened.scenario.records())
        if count > MOST:  # the command line has no such limit: there the memory is one's own
            st.error(t("sources.too_many", count=number(count), most=number(MOST)), title=title)
        else:
            _open(given, opened)


def _asked(given: Given, conversations: Sequence[tuple[str, int]]) -> int | None:
    """The one that the user chooses; it is opened at once."""
    labels = [
        f"{at}. {spoken(words)} · {counted('messages', size)}" for at, (words, size) in enumerate(conversations, 1)
    ]
    with st.container(key="sources_which"):
        return st.selectbox(
            t("sources.which", name=literal(given.name or t("sources.pasted")), count=number(len(labels))),
            range(len(labels)),
            index=None,
            format_func=labels.__getitem__,
            placeholder=t("sources.which_hint"),
            key=f"sources.which.{given.id}",
        )


def _open(given: Given, opened: Opened) -> None:
    scenario = opened.scenario
    open_scenario(scenario if scenario.name else scenario.edited(name=t("sources.pasted")))
    st.session_state[KEPT] = (state.workspace().imported, given, opened.readings, opened.number)
    st.session_state[DROPS] += 1
    st.session_state[OPENED] = True
    st.session_state.pop(TRIED, None)
    st.rerun()


def _say_opened(scenario: Scenario) -> None:
    """What was opened, as long as it is as the file gave it; and where to go on."""
    now = state.workspace()
    if not now.revision or is_edited(now):
        return
    sizes = {kind: len(getattr(scenario, kind)) for kind in ("messages", *RECORDS)}
    contents = " · ".join(counted(kind, size) for kind, size in sizes.items() if size)
    with st.container(key="sources_opened", horizontal=True, vertical_alignment="center"):
        st.success(t("sources.opened", name=literal(scenario.name), contents=contents), icon=":material/check:")
        with st.container(key="sources_see", width="content"):
            wanted = st.button(t("sources.see"), type="primary", icon=":material/tune:", key="sources.see")
    _readings()
    if wanted:
        st.switch_page("pages/debug/playground.py")


def _readings() -> None:
    """The other ways to read the file that is open: a session before its compaction, an earlier call of a trace."""
    revision, given, readings, number_open = st.session_state.get(KEPT, ("", None, (), 0))
    if not readings or revision != state.workspace().imported:
        return
    labels = {at: f"{at + 1}. {says}" for at, says in enumerate(readings)}  # as the list of conversations
    with st.container(key="sources_reading"):
        wanted = st.selectbox(
            t("sources.readings", count=number(len(readings))),
            list(labels),
            index=number_open,
            format_func=labels.__getitem__,
            help=t("sources.reading_hint"),
            key=f"sources.reading.{revision}",
        )
    if wanted != number_open:
        _take(given, wanted)


def export(scenario: Scenario) -> None:
    with st.container(key="sources_download"):
        st.download_button(
            t("sources.download"),
            lambda: json.dumps(scenario.to_json(), ensure_ascii=False, indent=1).encode("utf-8", "replace"),
            file_name=f"{scenario.name or 'scenario'}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
        )


def show_warnings(scenario: Scenario) -> None:
    """What the import had to leave out or repair."""
    if scenario.warnings:
        with st.expander(t("sources.warnings", count=len(scenario.warnings)), icon=":material/warning:"):
            st.text("\n".join(scenario.warnings))
