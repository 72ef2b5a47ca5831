"""The lists of sources: messages and records, searched and in pages of ten, however many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from ctxcore.scenario import Record, Scenario
from ui import editing
from ui.source_fields import head, pin, removes, save, text_field
from ui.state import key
from ui.words import literal, number, t

PER_PAGE = 10
ROLES = ("user", "assistant", "system", "developer")


def conversation(scenario: Scenario, tokens: Mapping[str, int]) -> None:
    _new_message(scenario)
    rows = [(at, message, editing.texts_of(message)) for at, message in enumerate(scenario.messages)]
    prompts = (editing.system_at(scenario), editing.question_at(scenario))
    rows = [row for row in rows if row[0] not in prompts or len(row[2]) > 1]  # these two have a place of their own
    sought = _sought("conversation")
    found = [at for at, message, texts in rows if sought in "\n".join((message["role"], *texts)).lower()]
    for at in _page("conversation", sought, found):
        _message(scenario, at, tokens.get(scenario.ids[at], 0))


def records(scenario: Scenario, kind: str, tokens: Mapping[str, int]) -> None:
    _new_record(scenario, kind)
    listed: Sequence[Record] = getattr(scenario, kind)
    sought = _sought(kind) if listed else ""
    found = [at for at, record in enumerate(listed) if sought in f"{record.title}\n{record.text}".lower()]
    for at in _page(kind, sought, found):
        _record(scenario, kind, at, tokens.get(listed[at].id, 0))


def _message(scenario: Scenario, at: int, tokens: int) -> None:
    message, name = scenario.messages[at], scenario.ids[at]
    with st.container(border=True, key=f"sources_{name}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            role = _role(message["role"], name, editing.fixed_role(message))
            head(name, tokens)
            st.space("stretch")
            pin(scenario, name)
            removed = removes(name)
        edited = message if role == message["role"] else {**message, "role": role}
        for place, text in enumerate(editing.texts_of(message)):
            if (new := text_field(t("sources.text"), text, name, str(place), lines=2)) is not None:
                edited = editing.with_text(edited, new, place)
        _calls(message)
    if removed:
        save(editing.message_removed(scenario, at), renew=True)
    elif edited is not message:
        save(editing.message_changed(scenario, at, edited))


def _role(role: str, name: str, fixed: bool) -> str:
    with st.container(key=f"sources_role_{name}", width=150):
        roles = ROLES if role in ROLES else (role, *ROLES)
        return st.selectbox(
            t("sources.role"),
            roles,
            index=roles.index(role),
            disabled=fixed,
            key=key("revision", "role", name),
            label_visibility="collapsed",
        )


def _calls(message: editing.Message) -> None:
    """What cannot be edited here is shown all the same."""
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        st.code(f"{function.get('name')}({function.get('arguments')})", language=None, wrap_lines=True)
    content = message.get("content")
    others = [part.get("type") for part in content if part.get("type") != "text"] if isinstance(content, list) else []
    if others:
        st.caption(t("sources.other_parts", kinds=literal(", ".join(map(str, others)))))


def _record(scenario: Scenario, kind: str, at: int, tokens: int) -> None:
    record: Record = getattr(scenario, kind)[at]
    with st.container(border=True, key=f"sources_{record.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            head(record.id, tokens)
            st.space("stretch")
            pin(scenario, record.id)
            removed = removes(record.id)
        title = st.text_input(
            t("sources.title"),
            record.title,
            key=key("revision", "title", record.id),
            placeholder=t("sources.title"),
            label_visibility="collapsed",
        )
        text = text_field(t("sources.text"), record.text, record.id, lines=3)
    changes = {"title": title} if title != record.title else {}
    changes |= {} if text is None else {"text": text}
    if removed:
        save(editing.record_removed(scenario, kind, at), renew=True)
    elif changes:
        save(editing.record_changed(scenario, kind, at, **changes))


def _new_message(scenario: Scenario) -> None:
    with (
        st.expander(t("sources.add"), icon=":material/add:", key="sources_add_message"),
        st.form("sources_new_message", clear_on_submit=True, border=False),
    ):
        role = st.selectbox(t("sources.role"), ROLES, key="sources_new_role")
        text = st.text_area(t("sources.text"), key="sources_new_text")
        added = st.form_submit_button(t("sources.add"), key="sources_new_submit")
    if added and text:
        at = editing.question_at(scenario)
        at = len(scenario.messages) if at is None else at
        save(editing.message_added(scenario, {"role": role, "content": text}, at))


def _new_record(scenario: Scenario, kind: str) -> None:
    with (
        st.expander(t("sources.add"), icon=":material/add:", key=f"sources_add_{kind}"),
        st.form(f"sources_new_{kind}", clear_on_submit=True, border=False),
    ):
        title = st.text_input(t("sources.title"), key=f"sources_new_{kind}_title")
        text = st.text_area(t("sources.text"), key=f"sources_new_{kind}_text")
        added = st.form_submit_button(t("sources.add"), key=f"sources_new_{kind}_submit")
    if added and text:
        save(editing.record_added(scenario, kind, Record("", text, title)))


def _sought(kind: str) -> str:
    with st.container(key=f"sources_find_{kind}"):
        return st.text_input(
            t("sources.find"),
            key=f"sources.find.{kind}",
            placeholder=t("sources.find"),
            icon=":material/search:",
            label_visibility="collapsed",
        ).lower()


def _page(kind: str, sought: str, found: Sequence[int]) -> Sequence[int]:
    """The positions on the page that the user is on."""
    pages = -(-len(found) // PER_PAGE)
    if not found:
        st.caption(t("sources.nothing_found") if sought else t("sources.none"))
    if pages <= 1:
        return found
    with st.container(key=f"sources_page_{kind}", horizontal=True, vertical_alignment="center"):
        page = st.pagination(pages, key=f"sources.page.{kind}.{pages}.{sought}")
        st.caption(t("sources.found", count=number(len(found))))
    return found[(page - 1) * PER_PAGE : page * PER_PAGE]
