"""The ReAct loop with a real model of 135 million parameters: not what it answers, but what happens around it (c11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pytest

from ctxcore.agent.loop import react
from ctxcore.agent.manner import Asking
from ctxcore.agent.metrics import metrics
from ctxcore.agent.scripted import script
from ctxcore.agent.step import Step
from ctxcore.agent.tools import calculator, search
from ctxcore.chat_template import difference, predicted
from ctxcore.endpoint import Endpoint
from ctxcore.replies import Reply
from ctxcore.settings import Settings
from tests import laws

TASK = script()
TOOLS = (search(TASK.knowledge, top=2), calculator())
STEPS, CUT_AT = 10, 5
SMALL = Settings(system="layered", window=1_600, reserve=100, options=(("compress-observation.max_chars", "160"),))
ROOM = {"thought": 60, "sub_task": 30, "action_input": 40}  # characters: what has no end, this model does not end


@dataclass
class Held:
    """The model, held to the shape of a step more tightly than one that is clever: which tool, and how many words.

    Left to itself it says "finish" at once. One reply is cut off in the middle: that cannot be read.
    """

    model: Endpoint
    sent: list[tuple[Mapping[str, Any], ...]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def fingerprint(self) -> str:
        return self.model.fingerprint

    def reply(self, messages: Sequence[Mapping[str, Any]], **asked: Any) -> Reply:
        self.sent.append(tuple(messages))
        step = len(self.sent)
        if step == CUT_AT:
            asked["max_tokens"] = 12
        return self.model.reply(messages, **{**asked, "schema": tightened(asked["schema"], action(step))})


def action(step: int) -> str:
    """The plan of the task: two searches for each of three offers, then sums, then the answer."""
    return "finish" if step == STEPS else "calculator" if step > 7 else "search"


def tightened(schema: Mapping[str, Any], chosen: str) -> dict[str, Any]:
    fields = {
        name: {**about, "maxLength": ROOM[name]} if name in ROOM else {"enum": [chosen]}
        for name, about in schema["properties"].items()
    }
    return {**schema, "properties": fields}


@pytest.fixture(scope="module")
def played(local_model: Endpoint) -> tuple[tuple[Step, ...], Held, list[str]]:
    """Steps, what was sent, and the pieces of text as they came."""
    held, pieces = Held(local_model), []
    asking = Asking("json", on_text=pieces.append)
    run = react(TASK.scenario, held, TOOLS, settings=SMALL, max_steps=STEPS, asking=asking)
    return tuple(run), held, pieces


def test_ten_steps_each_within_the_window(played):
    steps, held, _ = played
    assert [step.number for step in steps] == list(range(1, STEPS + 1))
    assert steps[-1].ended == "answered"
    assert all(step.trace.fits for step in steps)
    assert [tuple(step.trace.messages) for step in steps] == held.sent
    for step in steps:
        laws.check(step.trace.to_json(), valid_input=True)


def test_the_replies_were_streamed(played):
    steps, _, pieces = played
    assert "".join(pieces) == "".join(step.reply.text for step in steps)
    assert len(pieces) > 20 * STEPS


def test_every_bill_is_predicted_to_the_token(local_model, played):
    for step in played[0]:
        tokens, exactness = predicted(local_model, step.trace.messages, step.trace.tools)
        assert (exactness, difference(tokens, step.reported)) == ("exact", 0), step.number
        assert step.reply.completion_tokens > 0


def test_a_reply_that_was_cut_off_is_told_and_the_run_goes_on(played):
    steps, held, _ = played
    cut = steps[CUT_AT - 1]
    assert cut.reply.finish == "length"
    assert [step.number for step in steps if step.error] == [CUT_AT]
    assert "agent-unread" in [told.rule for told in cut.told]
    assert cut.error in str(held.sent[CUT_AT][-1]["content"])
    assert steps[CUT_AT].call


def test_what_the_tools_answer_enters_compressed_and_the_context_stops_growing(played):
    steps, _, _ = played
    searched = [step.observed for step in steps if step.observed and not step.repeated and step.call.name == "search"]
    assert searched
    assert all(seen.tokens_after < seen.tokens_before for seen in searched)
    raw = sum(seen.tokens_before for seen in searched)
    assert raw > sum(seen.tokens_after for seen in searched) * 2
    assert metrics(steps).peak < SMALL.window
    for before, step in pairwise(steps):
        assert step.trace.scenario.revision == before.scenario.revision or before.error


def test_without_management_the_same_model_runs_over_the_window(local_model):
    wide = replace(SMALL, window=1_600)
    run = tuple(react(TASK.scenario, Held(local_model), TOOLS, settings=wide, managed=False, asking=Asking("json")))
    assert run[-1].ended == "window-overflow"
    assert run[-1].reply is None
    assert len(run) < STEPS


def test_a_model_that_is_too_slow_ends_the_run_with_its_error(local_model):
    hasty = replace(local_model, timeout=0.05, retries=0)
    (only,) = react(TASK.scenario, Held(hasty), TOOLS, settings=SMALL, asking=Asking("json"))
    assert only.ended == "model-error"
    assert "did not answer within" in only.error


def test_a_run_is_stopped_between_two_pieces(local_model):
    pieces: list[str] = []
    asking = Asking("json", on_text=pieces.append)
    run = react(TASK.scenario, Held(local_model), TOOLS, settings=SMALL, asking=asking, stop=lambda: len(pieces) >= 4)
    assert [step.ended for step in run] == ["stopped"]
    assert 4 <= len(pieces) < 40
