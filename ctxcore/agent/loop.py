"""The ReAct loop as a fold of context builds over steps (article 3), and one turn of a plain chat (article 2)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ctxcore.agent import growth
from ctxcore.agent.acting import Executor
from ctxcore.agent.manner import Asking, manner_of, settings_of
from ctxcore.agent.react_format import FormatError, Reading, read, reply_schema
from ctxcore.agent.state import State, begun, recalled
from ctxcore.agent.step import ANSWERED, MAX_STEPS, MODEL_ERROR, NO_ROOM, OVERFLOW, STOPPED, Step, Told
from ctxcore.agent.tools import Tool
from ctxcore.build import build
from ctxcore.defaults import built_in_services
from ctxcore.model.replies import ChatModel, ModelError, Reply
from ctxcore.retrieving.held import HeldRetriever
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings
from ctxcore.trace import Trace
from ctxcore.words import sentence


def react(
    scenario: Scenario,
    model: ChatModel,
    tools: Sequence[Tool],
    *,
    settings: Settings | None = None,
    max_steps: int = 12,
    managed: bool = True,
    stop: Callable[[], bool] | None = None,
    asking: Asking | None = None,
) -> Iterator[Step]:
    """Steps until the answer, or until something else ends it: `Step.ended` of the last one says what.

    `managed=False` runs the same task on system raw. A reply that cannot be read is answered once with what is wrong,
    and not kept. A failing model ends the loop; its error is on the step. Raises InputError and BudgetError as build.
    """
    how, asked = asking or Asking(), settings_of(settings, managed)
    services = how.services or built_in_services()
    held = HeldRetriever(services.retriever)
    how = replace(how, services=replace(services, retriever=held))
    manner = manner_of(asked, managed)
    loop = _Loop(model, Executor(tuple(tools), asked, manner, how), held, stop or (lambda: False))
    state = State(growth.prepared(scenario, tools, manner, how))
    for number in range(1, max_steps + 1):
        step, state = loop.step(number, state)
        cut_off = number == max_steps and not step.ended
        yield replace(step, ended=MAX_STEPS) if cut_off else step
        if step.ended:
            return


def chat_turn(
    scenario: Scenario, model: ChatModel, settings: Settings | None, user_message: str, asking: Asking | None = None
) -> tuple[str, Scenario, Trace]:
    """Build, ask, append the reply: the answer, the conversation that goes on, and what was sent. Raises ModelError."""
    how = asking or Asking()
    if user_message.strip():
        scenario = growth.with_messages(scenario, {"role": "user", "content": user_message})
    trace = build(scenario, settings, services=how.services)
    reply = model.reply(trace.messages, max_tokens=trace.budget.reserve or None, on_text=how.on_text)
    return reply.text, growth.with_messages(scenario, {"role": "assistant", "content": reply.text}), trace


@dataclass(frozen=True)
class _Loop:
    model: ChatModel
    executor: Executor
    held: HeldRetriever
    stop: Callable[[], bool]

    @property
    def asking(self) -> Asking:
        return self.executor.asking

    def step(self, number: int, state: State) -> tuple[Step, State]:
        began = time.perf_counter()
        if state.asked_to_recall:
            self.held.forget()
        sent = growth.with_messages(state.scenario, *state.aside) if state.aside else state.scenario
        trace = build(sent, self.executor.settings, services=self.asking.services)
        state = begun(state, trace) if number == 1 else state
        told, state = recalled(replace(state, aside=()), trace, number)
        step = Step(number, trace, state.scenario, state.board, told=told)
        over = _over(trace)
        step, state = (replace(step, ended=over), state) if over else self._asked(step, state)
        return replace(step, seconds=time.perf_counter() - began), state

    def _asked(self, step: Step, state: State) -> tuple[Step, State]:
        if self.stop():
            return replace(step, ended=STOPPED), state
        try:
            reply = self._reply(step.trace)
        except ModelError as error:
            return replace(step, error=error.told, ended=STOPPED if error.kind == "stopped" else MODEL_ERROR), state
        step = replace(step, reply=reply)
        if reply.finish == "stopped":
            return replace(step, ended=STOPPED), state
        try:
            said = read(reply.text, reply.calls, self.executor.tools, plain_is_answer=self.asking.speech == "calls")
        except FormatError as error:
            return self._unread(step, state, reply, error.told)
        return (
            self._answered(step, state, said) if said.call is None else self.executor.act(step, state, said, said.call)
        )

    def _reply(self, trace: Trace) -> Reply:
        schema = reply_schema(self.executor.tools) if self.asking.speech == "json" else None
        return self.model.reply(
            trace.messages,
            tools=trace.tools,
            max_tokens=trace.budget.reserve or None,
            schema=schema,
            on_text=self.asking.on_text,
            stop=self.stop,
        )

    def _unread(self, step: Step, state: State, reply: Reply, problem: str) -> tuple[Step, State]:
        correction = sentence("agent-format", {"problem": problem}, self.asking.lang)
        aside = ({"role": "assistant", "content": reply.text}, {"role": "user", "content": correction})
        told = (*step.told, Told("agent-unread", {"problem": problem}))
        return replace(step, error=problem, told=told), replace(state, aside=aside)

    def _answered(self, step: Step, state: State, said: Reading) -> tuple[Step, State]:
        board = growth.after_answer(growth.after_naming(state.board, said.sub_task))
        scenario = growth.with_messages(state.scenario, {"role": "assistant", "content": said.answer})
        if self.executor.manner.keeps_board:
            scenario = growth.with_board(scenario, board)
        step = replace(step, thought=said.thought, answer=said.answer, board=board, scenario=scenario, ended=ANSWERED)
        return step, replace(state, scenario=scenario, board=board)


def _over(trace: Trace) -> str:
    """Why the payload cannot be sent: over the window, or what may never be dropped does not fit; "" where it can."""
    if trace.totals.total > trace.budget.window:
        return OVERFLOW if trace.may_overflow else NO_ROOM
    return "" if trace.fits or trace.may_overflow else NO_ROOM
