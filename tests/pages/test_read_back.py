"""A reply of the model that names placeholders: shown as it came, and read back where the user asks for it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from tests.build import built, user
    from ui.views.ask import read_back

    trace = built([user("Write to ann@example.com.")], options={"guardrail.enabled": "on"})
    assert "ann@example.com" not in str(trace.messages)
    st.text(read_back(trace.shield, "Sent to <EMAIL_1>."))
    st.text(read_back(trace.shield, "Sent to <EMAIL_2>."))
    st.text(read_back(built([user()]).shield, "Sent to <EMAIL_1>."))


def test_a_reply_is_read_back_once_the_user_asks_for_it() -> None:
    at = AppTest.from_function(page, default_timeout=60).run()
    assert not at.exception
    assert [text.value for text in at.text] == ["Sent to <EMAIL_1>.", "Sent to <EMAIL_2>.", "Sent to <EMAIL_1>."]
    assert len(at.toggle) == 1  # nothing is offered where there is nothing to read back
    at.toggle[0].set_value(True).run()
    assert [text.value for text in at.text] == ["Sent to ann@example.com.", "Sent to <EMAIL_2>.", "Sent to <EMAIL_1>."]
    assert "ann@example.com" not in repr(at.session_state)
