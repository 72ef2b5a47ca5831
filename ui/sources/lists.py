"""The lists of sources: messages and records, searched and in pages of ten, however many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from ctxcore.scenario import Record, Scenario
from ui.runs import trace_of
from ui.sources import editing
from ui.sources.fields import head, pin, removes, save, text_field
from ui.sources.paging import jump, page_of, sought_in
from ui.sources.thumbnails import draw_pictures
from ui.why.marks import draw_mute
from ui.words import literal, t
from ui.workspace import state
from ui.workspace.state import key

ROLES = ("user", "assistant", "system", "developer")


def conversation(scenario: Scenario, tokens: Mapping[str, int]) -> None:
    places = listed(scenario)
    if len(places) < len(scenario.messages):
        st.caption(t("sources.not_here"))
    _new_message(scenario)
    sought = sought_in("conversation")
    for at in page_of("conversation", sought, [at for at in places if sought in _said(scenario.messages[at])]):
        _message(scenario, at, tokens.get(scenario.ids[at], 0))


def listed(scenario: Scenario) -> list[int]:
    """Positions of the messages in the list; the system prompt and the question have a place of their own."""
    prompts = (editing.system_at(scenario), editing.question_at(scenario))
    shown = enumerate(scenario.messages)
    return [at for at, message in shown if at not in prompts or len(editing.texts_of(message)) > 1]


def _said(message: editing.Message) -> str:
    return "\n".join((message["role"], *editing.texts_of(message))).lower()


def records(scenario: Scenario, kind: str, tokens: Mapping[str, int]) -> None:
    _new_record(scenario, kind)
    every: Sequence[Record] = getattr(scenario, kind)
    sought = sought_in(kind) if every else ""
    found = [at for at, record in enumerate(every) if sought in f"{record.title}\n{record.text}".lower()]
    for at in page_of(kind, sought, found):
        _record(scenario, kind, at, tokens.get(every[at].id, 0))


def _message(scenario: Scenario, at: int, tokens: int) -> None:
    message, name = scenario.messages[at], scenario.ids[at]
    with st.container(border=True, key=f"sources_item_{name}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            role = _role(message["role"], name, editing.fixed_role(message))
            head(name, tokens)
            st.space("stretch")
            pin(scenario, name)
            draw_mute(trace_of(state.workspace()), name)
            removed = removes(name)
        edited = message if role == message["role"] else {**message, "role": role}
        for place, text in enumerate(editing.texts_of(message)):
            if (new := text_field(t("sources.text"), text, name, str(place), lines=2)) is not None:
                edited = editing.with_text(edited, new, place)
        _calls(message, name)
    if removed:
        _remove(scenario, at)
    elif edited is not message:
        save(editing.message_changed(scenario, at, edited))


def _remove(scenario: Scenario, at: int) -> None:
    """Removes a message at once, and asks where a call or its results would be left alone."""
    group = editing.group_of(scenario, at)
    if len(group) > 1:
        st.dialog(t("sources.remove_group"))(_confirm)(scenario, at, group)
    else:
        _removed(editing.message_removed(scenario, at))


def _confirm(scenario: Scenario, at: int, group: Sequence[int]) -> None:
    st.markdown(t("sources.remove_why", ids=literal(", ".join(scenario.ids[place] for place in group))))
    with st.container(horizontal=True):
        with st.container(key="sources_remove_all", width="content"):
            every = st.button(t("sources.remove_all", count=len(group)), type="primary", key="sources.remove_all")
        with st.container(key="sources_remove_one", width="content"):
            alone = st.button(t("sources.remove_one", id=literal(scenario.ids[at])), key="sources.remove_one")
    if every or alone:
        _removed(editing.message_removed(scenario, *(group if every else (at,))))


def _removed(scenario: Scenario) -> None:
    state.notify("sources.removed")
    save(scenario, renew=True)


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


def _calls(message: editing.Message, name: str) -> None:
    """What cannot be edited here is shown all the same."""
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        st.code(f"{function.get('name')}({function.get('arguments')})", language=None, wrap_lines=True)
    content = message.get("content")
    others = [part.get("type") for part in content if part.get("type") != "text"] if isinstance(content, list) else []
    if others:
        st.caption(t("sources.other_parts", kinds=literal(", ".join(map(str, others)))))
        draw_pictures(content, name)


def _record(scenario: Scenario, kind: str, at: int, tokens: int) -> None:
    record: Record = getattr(scenario, kind)[at]
    with st.container(border=True, key=f"sources_{record.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            head(record.id, tokens)
            st.space("stretch")
            pin(scenario, record.id)
            draw_mute(trace_of(state.workspace()), record.id)
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
        _removed(editing.record_removed(scenario, kind, at))
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
        longer = editing.message_added(scenario, {"role": role, "content": text}, at)
        jump("conversation", at)
        save(longer)


def _new_record(scenario: Scenario, kind: str) -> None:
    with (
        st.expander(t("sources.add"), icon=":material/add:", key=f"sources_add_{kind}"),
        st.form(f"sources_new_{kind}", clear_on_submit=True, border=False),
    ):
        title = st.text_input(t("sources.title"), key=f"sources_new_{kind}_title")
        text = st.text_area(t("sources.text"), key=f"sources_new_{kind}_text")
        added = st.form_submit_button(t("sources.add"), key=f"sources_new_{kind}_submit")
    if added and text:
        jump(kind, len(getattr(scenario, kind)))
        save(editing.record_added(scenario, kind, Record("", text, title)))
