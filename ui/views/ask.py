"""Ask the model with the payload as it is: the reply as it comes, what it cost, and how well it was predicted."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from ctxcore.counting.chat_template import predicted
from ctxcore.counting.models import model
from ctxcore.exporting.targets import export_trace
from ctxcore.guarding.shield import Shield
from ctxcore.model.endpoint import Endpoint
from ctxcore.model.replies import Reply
from ctxcore.trace import Trace
from ui import jobs
from ui.jobs import Job
from ui.looking import Looking
from ui.settings.models import draw_model, log_bill, says_bill
from ui.sources.scenarios import save_scenario, scenario_of
from ui.words import literal, number, t
from ui.workspace import state

JOB = "_ask_job"  # of the session
LONGEST = 1_024  # tokens of a reply


@dataclass(frozen=True, slots=True)
class Asked:
    """A reply with the run whose payload was sent, and its tokens as predicted."""

    trace: Trace
    reply: Reply
    expected: int
    exactness: str

    def is_of(self, trace: Trace) -> bool:
        sent = self.trace
        return (sent.scenario.revision, sent.settings) == (trace.scenario.revision, trace.settings)


def draw(look: Looking) -> None:
    trace = look.trace
    with st.container(key="view_ask"):
        endpoint = draw_model()
        if not trace.final.messages:
            st.info(t("messages.not_yet"), icon=":material/info:")
            return
        if endpoint is None:
            st.info(t("ask.no_model"), icon=":material/info:")
            return
        running = jobs.job(st.session_state.get(JOB))
        busy = running is not None and not running.done
        label = t("ask.button", tokens=number(trace.totals.total), price=_price(endpoint, trace))
        with st.container(key="ask_button"):
            if st.button(
                label, icon=":material/send:", type="primary", key="ask.button", disabled=busy or not trace.fits
            ):
                st.session_state[JOB] = jobs.start("ask", lambda job: _ask(job, endpoint, trace)).id
                st.rerun()
        if not trace.fits:
            st.caption(t("ask.no_fit"))
        _reply(trace)


def _ask(job: Job, endpoint: Endpoint, trace: Trace) -> Asked:
    """Runs on the job's thread."""
    sent = export_trace(trace, "openai-chat").payload  # without what such an endpoint would refuse
    messages, tools = sent["messages"], sent.get("tools", [])
    expected, exactness = predicted(endpoint, messages, tools)
    room = max(1, min(LONGEST, trace.budget.reserve or LONGEST))
    reply = endpoint.reply(messages, tools=tools, max_tokens=room, on_text=job.parts.append, stop=lambda: job.stopped)
    log_bill(endpoint, reply, expected)
    return Asked(trace, reply, expected, exactness)


@st.fragment(run_every=0.4)
def _poll() -> None:
    running = jobs.job(st.session_state.get(JOB))
    if running is None:
        return
    st.text("".join(running.parts) or t("ask.waiting"))
    if running.done:
        st.rerun()  # of the whole page: the polling ends
    with st.container(key="ask_stop"):
        if st.button(t("ask.stop"), icon=":material/stop:", key="ask.stop"):
            running.halt.set()


def _reply(trace: Trace) -> None:
    running = jobs.job(st.session_state.get(JOB))
    if running is None:
        return
    if not running.done:
        _poll()
        return
    if running.error:
        st.error(literal(running.error), icon=":material/error:")
        return
    asked: Asked = running.result
    reply = asked.reply
    with st.container(key="ask_reply", border=True):
        if not asked.is_of(trace):
            st.caption(t("ask.other_payload"))
        st.text(read_back(asked.trace.shield, reply.text) or "–")
        for call in reply.calls:
            st.code(f"{call.name}({call.arguments})", language=None, wrap_lines=True)
        st.caption(says_bill(reply, asked.expected, asked.exactness))
        with st.container(key="ask_continue"):
            if reply.text and st.button(
                t("ask.continue"),
                icon=":material/subdirectory_arrow_right:",
                key="ask.continue",
                help=t("ask.continue_help"),
            ):
                _go_on(reply)


def read_back(shield: Shield | None, text: str) -> str:
    """The reply as it came; or, where the user wants to see it, with the values that placeholders stand for. These are
    shown and never kept: what goes on into the conversation is the reply as it came."""
    if shield is None or shield.restore(text) == text:
        return text
    with st.container(key="ask_read_back"):
        wanted = st.toggle(t("ask.read_back"), key="ask.read_back", help=t("ask.read_back_help"))
    return shield.restore(text) if wanted else text


def _go_on(reply: Reply) -> None:
    """The reply becomes part of the conversation, and the next build has it."""
    scenario = scenario_of(state.workspace())
    save_scenario(
        scenario.edited(messages=(*scenario.messages, {"role": "assistant", "content": reply.text})), renew=True
    )
    st.session_state.pop(JOB, None)
    st.rerun()


def _price(endpoint: Endpoint, trace: Trace) -> str:
    """Of the model that is asked; the one that the payload is counted for may be another."""
    price = model(endpoint.name).input_price
    if price is None:
        return t("headline.no_price")
    return t("headline.price", cents=f"{100 * trace.totals.total * price / 1_000_000:.3f}")
