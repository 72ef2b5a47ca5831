"""The two texts that every context has, and the state of the task."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import streamlit as st

from ctxcore.errors import InputError
from ctxcore.scenario import Scenario
from ui.frame import boundary
from ui.sources import editing
from ui.sources.fields import save, text_field
from ui.sources.thumbnails import draw_pictures
from ui.words import number, t


def prompt(scenario: Scenario, tokens: Mapping[str, int]) -> None:
    _said(scenario, "system", editing.system_at(scenario), editing.system_said, tokens)
    _said(scenario, "user_message", editing.question_at(scenario), editing.asked, tokens)


def _said(
    scenario: Scenario,
    what: str,
    at: int | None,
    edit: Callable[[Scenario, str], Scenario],
    tokens: Mapping[str, int],
) -> None:
    texts = editing.texts_of(scenario.messages[at]) if at is not None else ("",)
    name = scenario.ids[at] if at is not None else what
    label = f"{t(f'sources.{what}')} · {t('sources.tokens', shown=number(tokens.get(name, 0)))}"
    with st.container(key=f"sources_{what}"):
        if len(texts) > 1:
            st.caption(f"{label} · {t('sources.in_conversation')}")
            return
        new = text_field(label, "".join(texts), name, "0", lines=5, hidden=False)
        if at is not None:
            draw_pictures(scenario.messages[at].get("content"), name)
    if new is not None:
        save(edit(scenario, new))


def state(scenario: Scenario, tokens: Mapping[str, int]) -> None:
    size = tokens.get(scenario.state.id, 0) if scenario.state else 0
    label = f"{t('sources.section.state')} · {t('sources.tokens', shown=number(size))}"
    with st.container(key="sources_state"):
        text = scenario.state.text if scenario.state else ""
        new = text_field(label, text, "state", lines=10, hidden=False)
    if new is not None:
        save(editing.state_said(scenario, new))


def tool_definitions(scenario: Scenario, tokens: Mapping[str, int]) -> None:
    messages = zip(scenario.ids, scenario.messages, strict=True)
    size = sum(tokens.get(name, 0) for name, message in messages if message["role"] in ("tool", "function"))
    if size:
        st.caption(t("sources.results_in_conversation", tokens=number(size)))
    with st.container(key="sources_tools"), st.expander(t("sources.definitions", count=len(scenario.tools))):
        text = json.dumps(list(scenario.tools), ensure_ascii=False, indent=1) if scenario.tools else ""
        new = text_field(t("sources.definitions_hint"), text, "definitions", lines=8, hidden=False)
        if new is not None:
            with boundary():
                save(scenario.edited(tools=_definitions(new)))


def _definitions(text: str) -> tuple[Mapping[str, object], ...]:
    try:
        given = json.loads(text or "[]")
    except json.JSONDecodeError as error:
        raise InputError("tools-no-json", line=error.lineno, column=error.colno, says=error.msg) from error
    return tuple(given) if isinstance(given, list) else (given,)
