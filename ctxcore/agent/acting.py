"""The tool executor: a call is performed, or answered from what is known; then state, board and conversation follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ctxcore.agent import growth
from ctxcore.agent.manner import Asking, Manner
from ctxcore.agent.observing import Observer
from ctxcore.agent.react_format import Reading
from ctxcore.agent.state import RECALL_ACTION, Known, State
from ctxcore.agent.step import Observation, Step, Told
from ctxcore.agent.tools import Tool, argument_of, perform
from ctxcore.board import Board, fingerprint
from ctxcore.build import stages_for
from ctxcore.defaults import built_in_services
from ctxcore.item import Call
from ctxcore.model.replies import Reply
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings
from ctxcore.stages.compress_observation import CompressObservation
from ctxcore.systems import system_called
from ctxcore.trace import Trace
from ctxcore.words import sentence

SHOWN = 3  # lost facts that are named


@dataclass(frozen=True)
class Executor:
    tools: Sequence[Tool]
    settings: Settings
    manner: Manner
    asking: Asking

    def act(self, step: Step, state: State, said: Reading, made: Call) -> tuple[Step, State]:
        call = replace(made, id=growth.call_id(state.scenario, made.id))
        mark, same = fingerprint(call), growth.same_call(call)
        before = state.call(same)
        board = growth.after_naming(state.board, said.sub_task) if self.manner.recognises else state.board
        told = [*step.told, *([Told("agent-one-call", {"more": said.more})] if said.more else [])]
        if before and self.manner.recognises:
            observed = self._from_memory(mark, before, step.trace)
            told.append(Told("agent-repeat", {"call": mark, "step": before.step}))
        else:
            raw = perform(self.tools, call.name, call.arguments)
            observed = self._observer(step.trace).observe(
                raw, mark, f"{board.current or board.goal} {argument_of(call.arguments)}"
            )
            told += _shortened(observed)
        board = self._board_after(board, mark, step.number)
        scenario = self._grown(step.reply or Reply(""), state, said, call, observed.text)
        if self.manner.keeps_board:
            scenario = growth.with_board(scenario, board)
        known = state.known if before else (*state.known, Known(same, step.number, observed.text))
        done = replace(
            step,
            thought=said.thought,
            call=call,
            fingerprint=mark,
            observed=observed,
            repeated=before is not None,
            board=board,
            scenario=scenario,
            told=tuple(told),
        )
        asks = call.name == RECALL_ACTION
        return done, replace(
            state, scenario=scenario, board=board, known=known, asked_to_recall=asks or state.asked_to_recall
        )

    def _from_memory(self, mark: str, before: Known, trace: Trace) -> Observation:
        """What an earlier call answered, and that it was not made again."""
        note = sentence("agent-known", {"call": mark, "step": before.step}, self.asking.lang)
        text = f"{mark}\n{note}\n{before.observation.removeprefix(mark).strip()}"
        tokens = trace.counter.count(text)
        return Observation(text, text, tokens, tokens)

    def _observer(self, trace: Trace) -> Observer:
        stages = stages_for(self.settings, system_called(self.settings.system))
        stage = next((one for one in stages if isinstance(one, CompressObservation)), CompressObservation())
        services = self.asking.services or built_in_services()
        return Observer(self.manner, stage, trace.counter, services.compressor)

    def _board_after(self, board: Board, mark: str, number: int) -> Board:
        """Written the moment the tool has returned. The article's code notes that a step is over, not what was done."""
        if self.manner.plain_roles:
            return replace(board, current=f"步骤{number}完成")
        return growth.after_call(board, mark)

    def _grown(self, reply: Reply, state: State, said: Reading, call: Call, observation: str) -> Scenario:
        if not self.manner.plain_roles:
            return growth.with_call(state.scenario, growth.spoken(said, reply), call, observation)
        text = growth.as_lines(said, call) if reply.calls else reply.text
        asked, answered = (
            {"role": "assistant", "content": text},
            {"role": "user", "content": f"观察结果：{observation}"},
        )
        return growth.with_messages(state.scenario, asked, answered)


def _shortened(observed: Observation) -> list[Told]:
    """That a result was compressed on entering, and how many facts that cost."""
    if observed.tokens_after >= observed.tokens_before:
        return []
    lost = observed.lost
    facts = {
        "tokens": observed.tokens_before,
        "left": observed.tokens_after,
        "numbers": len(lost.numbers),
        "names": len(lost.names),
        "conclusions": len(lost.conclusions),
        "first": ", ".join(lost.all[:SHOWN]),
    }
    return [Told("agent-observed" if lost.all else "agent-observed-whole", facts)]
