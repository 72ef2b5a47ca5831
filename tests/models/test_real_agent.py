"""The ReAct loop with a real model of 135 million parameters: not what it answers, but what happens around it (c11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pytest

from ctxcore.agent.loop import react
from ctxcore.agent.manner import Asking
from ctxcore.agent.scripted import script
from ctxcore.agent.step import Step
from ctxcore.agent.tools import calculator, search
from ctxcore.counting.chat_template import difference, predicted
from ctxcore.model.endpoint import Endpoint
from ctxcore.model.replies import Reply
from ctxcore.settings import Settings
from tests import laws

TASK = script()
TOOLS = (search(TASK.knowledge, top=2), calculator())
STEPS, CUT_AT = 10, 5
SMALL = Settings(system="layered", window=1_100, reserve=90, options=(("compress-observation.max_chars", "160"),))
WORDS = "^[A-Z][a-z ]{4,40}[a-z]$"  # what has no end, this model does not end; and of numbers it writes too many
QUERY, SUM = "^%s [a-z]{4,12} [a-z]{4,12}$", "^[1-9][0-9] [*+] [1-9][0-9]{1,3}$"
PLAN = (
    *(("search", QUERY % name) for name in ("Kestrel", "Kestrel", "Boxwell", "Boxwell", "Boxwell", "Parcelyn")),
    *(("calculator", SUM) for _ in range(3)),
    ("finish", WORDS),
)


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
        if len(self.sent) == CUT_AT:
            asked["max_tokens"] = 12
        return self.model.reply(messages, **{**asked, "schema": tightened(asked["schema"], *PLAN[len(self.sent) - 1])})


def tightened(schema: Mapping[str, Any], action: str, given: str) -> dict[str, Any]:
    words = {"type": "string", "pattern": WORDS}
    fields = {
        "thought": words,
        "sub_task": words,
        "action": {"enum": [action]},
        "action_input": {"type": "string", "pattern": given},
    }
    assert fields.keys() == schema["properties"].keys()
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
    assert any(step.predicted < before.predicted for before, step in pairwise(steps))
    assert all(step.trace.scenario is before.scenario for before, step in pairwise(steps) if not before.error)


def test_without_management_the_same_model_runs_over_the_window(local_model):
    narrow = replace(SMALL, window=1_000)
    run = tuple(react(TASK.scenario, Held(local_model), TOOLS, settings=narrow, managed=False, asking=Asking("json")))
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
