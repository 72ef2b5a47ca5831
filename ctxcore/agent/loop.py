"""The ReAct loop as a fold of context builds over steps (article 3, c11), and one turn of a plain chat (article 2, b10)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ctxcore.agent import growth
from ctxcore.agent.manner import Asking, Manner, manner_of, settings_of
from ctxcore.agent.observing import Observer
from ctxcore.agent.react_format import FormatError, Reading, read, reply_schema
from ctxcore.agent.step import ANSWERED, MAX_STEPS, MODEL_ERROR, NO_ROOM, OVERFLOW, STOPPED, Observation, Step, Told
from ctxcore.agent.tools import Tool, perform
from ctxcore.board import Board, board_of, fingerprint
from ctxcore.build import build, stages_for
from ctxcore.defaults import built_in_services
from ctxcore.item import Call
from ctxcore.replies import ChatModel, ModelError, Reply
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings
from ctxcore.stages.compress_observation import CompressObservation
from ctxcore.systems import system_called
from ctxcore.trace import Trace
from ctxcore.words import sentence

BOARD_CHARS = 300  # of one entry of the board


def react(
    scenario: Scenario, model: ChatModel, tools: Sequence[Tool], *, settings: Settings | None = None, max_steps: int = 12,
    managed: bool = True, stop: Callable[[], bool] | None = None, asking: Asking | None = None,
) -> Iterator[Step]:
    """Steps until the answer, or until something else ends it: `Step.ended` of the last one says what.

    `managed=False` runs the same task on system raw. A reply that cannot be read is told to the model once, and is
    not kept. A failing model ends the loop; its error is on the step. Raises InputError and BudgetError as build does.
    """
    asked = settings_of(settings, managed)
    loop = _Loop(model, tuple(tools), asked, manner_of(asked, managed), asking or Asking(), stop or (lambda: False))
    state = _State(growth.prepared(scenario, tools, loop.manner, loop.asking))
    for number in range(1, max_steps + 1):
        step, state = loop.step(number, state)
        last = number == max_steps and not step.ended
        yield replace(step, ended=MAX_STEPS) if last else step
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
class _State:
    """Between two steps. `aside` are messages for the next build alone: what was wrong with the last reply."""

    scenario: Scenario
    board: Board | None = None
    known: tuple[tuple[str, int, str], ...] = ()  # call, step that made it first, what it answered
    aside: tuple[dict[str, Any], ...] = ()
    recalled_for: str | None = None  # the sub-task that recall last ran for
    recalled_at: int = 0


@dataclass(frozen=True)
class _Loop:
    model: ChatModel
    tools: tuple[Tool, ...]
    settings: Settings
    manner: Manner
    asking: Asking
    stop: Callable[[], bool]

    def step(self, number: int, state: _State) -> tuple[Step, _State]:
        began = time.perf_counter()
        step, after = self._made(number, state)
        return replace(step, seconds=time.perf_counter() - began), after

    def _made(self, number: int, state: _State) -> tuple[Step, _State]:
        sent = growth.with_messages(state.scenario, *state.aside) if state.aside else state.scenario
        trace = build(sent, self.settings, services=self.asking.services)
        board = state.board or board_of(trace.inputs, BOARD_CHARS)
        known = state.known or tuple((key, 0, said) for key, said in growth.known_calls(state.scenario).items())
        recall, state = self._recall(number, replace(state, board=board, known=known, aside=()), trace)
        step = Step(number, trace, state.scenario, board, told=recall)
        over = trace.totals.total > trace.budget.window or not (trace.fits or trace.may_overflow)
        if over or self.stop():
            return replace(step, ended=STOPPED if not over else OVERFLOW if trace.may_overflow else NO_ROOM), state
        try:
            reply = self._ask(trace)
        except ModelError as error:
            return replace(step, error=str(error), ended=STOPPED if error.kind == "stopped" else MODEL_ERROR), state
        step = replace(step, reply=reply)
        if reply.finish == "stopped":
            return replace(step, ended=STOPPED), state
        try:
            said = read(reply.text, reply.calls, self.tools, plain_is_answer=self.asking.speech == "calls")
        except FormatError as error:
            return self._unread(step, state, reply, error)
        return self._answered(step, state, said) if said.call is None else self._called(step, state, said, said.call)

    def _ask(self, trace: Trace) -> Reply:
        schema = reply_schema(self.tools) if self.asking.speech == "json" else None
        return self.model.reply(trace.messages, tools=trace.tools, max_tokens=trace.budget.reserve or None, schema=schema,
                                on_text=self.asking.on_text, stop=self.stop)

    def _unread(self, step: Step, state: _State, reply: Reply, error: FormatError) -> tuple[Step, _State]:
        correction = sentence("agent-format", {"problem": str(error)}, self.asking.lang)
        aside = ({"role": "assistant", "content": reply.text}, {"role": "user", "content": correction})
        told = (*step.told, Told("agent-unread", {"problem": str(error)}))
        return replace(step, error=str(error), told=told), replace(state, aside=aside)

    def _answered(self, step: Step, state: _State, said: Reading) -> tuple[Step, _State]:
        board = growth.after_answer(growth.after_naming(step.board, said.sub_task))
        scenario = growth.with_messages(state.scenario, {"role": "assistant", "content": said.answer})
        scenario = growth.with_board(scenario, board) if self.manner.keeps_board else scenario
        done = replace(step, thought=said.thought, answer=said.answer, board=board, scenario=scenario, ended=ANSWERED)
        return done, replace(state, scenario=scenario, board=board)

    def _called(self, step: Step, state: _State, said: Reading, made: Call) -> tuple[Step, _State]:
        call = replace(made, id=growth.call_id(state.scenario, made.id))
        mark, same = fingerprint(call), growth.same_call(call)
        before = next((entry for entry in state.known if entry[0] == same), None)
        board = growth.after_naming(step.board, said.sub_task) if self.manner.recognises else step.board
        told = (*step.told, *((Told("agent-one-call", {"more": said.more}),) if said.more else ()))
        if before and self.manner.recognises:
            told = (*told, Told("agent-repeat", {"call": mark, "step": before[1]}))
            observed = self._from_memory(mark, before)
        else:
            raw = perform(self.tools, call.name, call.arguments)
            observed = self._observer(step.trace).observe(raw, mark, board.current or board.goal)
            told = (*told, *_shortened(observed))
        known = state.known if before else (*state.known, (same, step.number, observed.text))
        board = self._board_after(board, mark, step.number)
        scenario = self._grown(state.scenario, said, step, call, observed)
        scenario = growth.with_board(scenario, board) if self.manner.keeps_board else scenario
        done = replace(step, thought=said.thought, call=call, fingerprint=mark, observed=observed, repeated=before is not None,
                       board=board, scenario=scenario, told=told)
        return done, replace(state, scenario=scenario, board=board, known=known)

    def _from_memory(self, mark: str, before: tuple[str, int, str]) -> Observation:
        """What an earlier call answered, and that it was not made again."""
        _, step, said = before
        told = sentence("agent-known", {"call": mark, "step": step}, self.asking.lang)
        text = f"{mark}\n{told}\n{said.removeprefix(mark).strip()}"
        tokens = self._observer(None).counter.count(text)
        return Observation(text, text, tokens, tokens)

    def _board_after(self, board: Board, mark: str, number: int) -> Board:
        """The moment the tool has returned. The article's code writes down that a step is over, and not what was done."""
        if self.manner.plain_roles:
            return replace(board, current=f"步骤{number}完成")
        return growth.after_call(board, mark)

    def _grown(self, scenario: Scenario, said: Reading, step: Step, call: Call, observed: Observation) -> Scenario:
        reply = step.reply.text if step.reply else ""
        if self.manner.plain_roles:
            text = reply or f"Thought: {said.thought}\nAction: {call.name}\nAction Input: {call.arguments}"
            return growth.with_messages(scenario, {"role": "assistant", "content": text}, {"role": "user", "content": f"观察结果：{observed.text}"})
        return growth.with_call(scenario, growth.spoken(said, reply), call, observed.text)

    def _recall(self, number: int, state: _State, trace: Trace) -> tuple[tuple[Told, ...], _State]:
        ...

    def _observer(self, trace: Trace | None) -> Observer:
        ...


def _shortened(observed: Observation) -> tuple[Told, ...]:
    ...
