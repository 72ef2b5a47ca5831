"""Which model there is to be asked: one typed in for this visit, one of the environment, or the local one.

What is typed in stays in the session's memory: it is never stored, logged or shown again.
"""

from __future__ import annotations

import logging

import streamlit as st

from ctxcore.counting.chat_template import difference
from ctxcore.errors import CtxError
from ctxcore.model.endpoint import Endpoint, endpoint_from_env, local_endpoint
from ctxcore.model.replies import Reply
from ui.settings import visitors
from ui.words import badge, literal, number, t
from ui.workspace import state

TYPED = "_endpoint"  # of the session
EXAMPLE = "https://api.openai.com/v1"
log = logging.getLogger("ctxcore.app")


@st.cache_resource(ttl=20, show_spinner=False)
def _found() -> Endpoint | None:
    """Looked for again now and then: `make model` may start later than the app."""
    return endpoint_from_env() or local_endpoint()


def model_at_hand() -> Endpoint | None:
    """None where nothing was set up. Raises InputError for an address that is none."""
    typed: dict[str, str] | None = st.session_state.get(TYPED)
    if typed and visitors.may_type():
        return Endpoint(typed["model"], typed["base_url"] or None, typed["key"] or None, reach=visitors.reach())
    return _found()


def draw_setup() -> None:
    """A form for another endpoint, for this visit only; nothing where who runs the server does not want one."""
    if not visitors.may_type():
        return
    with (
        st.container(key="model_setup"),
        st.popover(t("model.setup"), icon=":material/settings_ethernet:", type="tertiary"),
    ):
        st.caption(t("model.setup_help"))
        with st.form("model.form", border=False):
            url = st.text_input(t("model.url"), placeholder=EXAMPLE, key="model.url")
            key = st.text_input(t("model.key"), type="password", key="model.key", autocomplete="off")
            name = st.text_input(t("model.name"), value=state.workspace().model, key="model.name")
            sent = st.form_submit_button(t("model.use"))
        if sent and name.strip():
            st.session_state[TYPED] = {"base_url": url.strip(), "key": key, "model": name.strip()}
            st.rerun()
        if st.session_state.get(TYPED) and st.button(t("model.forget"), key="model.forget"):
            del st.session_state[TYPED]
            st.rerun()


def draw_model(hint: str = "") -> Endpoint | None:
    """What is at hand, in one line, and the form; None where there is nothing, which the hint may explain."""
    try:
        endpoint = model_at_hand()
    except CtxError as error:
        st.warning(literal(error.told))
        endpoint = None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if endpoint is None:
            st.caption(hint or t("model.none"), width="content")
        else:
            at_hand = t("model.at_hand", name=endpoint.name, host=endpoint.host)
            st.markdown(badge(at_hand, "violet", "smart_toy"), width="content")
        draw_setup()
    return endpoint


def says_bill(reply: Reply, expected: int, exactness: str) -> str:
    """What the endpoint billed, beside what was predicted before it was asked."""
    off = difference(expected, reply.prompt_tokens)
    return t(
        "ask.usage",
        seconds=f"{reply.seconds:.1f}",
        billed="–" if reply.prompt_tokens is None else number(reply.prompt_tokens),
        answer="–" if reply.completion_tokens is None else number(reply.completion_tokens),
        predicted=number(expected),
        exactness=t(f"exact.{exactness}"),
        off="–" if off is None else f"{off:+d}",
    )


def log_bill(endpoint: Endpoint, reply: Reply, expected: int) -> None:
    """Into the log: the same, without a word of what was asked or answered."""
    billed, off = reply.prompt_tokens, difference(expected, reply.prompt_tokens)
    log.info("%s: %s prompt tokens predicted, %s billed, difference %s", endpoint.fingerprint, expected, billed, off)
