"""An evaluation with a real model: few questions, both managements, and a second run that asks nothing."""

from __future__ import annotations

from ctxcore import Settings
from ctxcore.counting.chat_template import predicted
from ctxcore.evaluating.arms import Arm
from ctxcore.evaluating.evaluation import evaluate, plan
from ctxcore.evaluating.outcome import outcome
from ctxcore.evaluating.questions import read_lines
from ctxcore.model.endpoint import Endpoint
from tests.build import scenario, talk, user

LOG = scenario([user("The secret number is 48213."), *talk(4, 4), user("The code word is marigold."), *talk(1, 2)])
ASKED = read_lines("What is the secret number? = 48213\nWhat is the code word? = marigold")
NARROW = Arm("raw", Settings(system="raw", window=420, reserve=0))
WHOLE = Arm("gssc", Settings(system="gssc", window=4_000, reserve=400))


def test_a_real_model_answers_from_what_it_was_sent(local_model: Endpoint):
    planned = plan(LOG, ASKED, (NARROW, WHOLE), max_tokens=16)
    known: dict = {}
    found = outcome(evaluate(planned, local_model, known), local_model.name)
    assert len(found.pairs) == 2
    first, second = found.sides
    assert not found.pairs[0][0].right  # the oldest message was left out: nobody can know it
    assert second.right >= first.right
    for pair in found.pairs:
        for answer, call in zip(pair, _calls(planned, pair[0].question.id), strict=True):
            assert answer.prompt_tokens == predicted(local_model, call.prompt.messages, ())[0]
    assert second.prompt_tokens > first.prompt_tokens > 0
    assert found.p == 1.0
    again = list(evaluate(planned, local_model, known))
    assert all(one.known for one in again)
    assert [one.text for one in again if one.arm == 1] != []


def _calls(planned, question: str):
    return sorted((call for call in planned.calls if call.question.id == question), key=lambda call: call.arm)
