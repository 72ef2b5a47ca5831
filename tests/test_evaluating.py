"""Evaluating: the statistics are the known ones, scoring is fair, a run is planned, priced, stopped and resumed."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest

from ctxcore import InputError, Settings
from ctxcore.evaluating.arms import Arm, prompt
from ctxcore.evaluating.evaluation import evaluate, plan
from ctxcore.evaluating.outcome import outcome, strata
from ctxcore.evaluating.proxy import coverage
from ctxcore.evaluating.questions import Question, read_lines, read_set, shipped_set, written
from ctxcore.evaluating.scoring import is_right, normal
from ctxcore.evaluating.statistics import bootstrap, least_flips, mcnemar, pairs_needed, wilson
from ctxcore.importing import load
from ctxcore.model.endpoint import Endpoint
from tests.build import scenario, system, talk, user
from tests.models.acting import answer, fails, serving

# --- statistics


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [(0, 0, 1.0), (0, 5, 0.0625), (0, 6, 0.03125), (6, 0, 0.03125), (1, 8, 0.0390625), (5, 15, 0.041389), (3, 3, 1.0)],
)
def test_mcnemar_is_the_exact_one(first, second, p):
    assert mcnemar(first, second) == pytest.approx(p, abs=1e-6)


def test_mcnemar_of_many_pairs_does_not_overflow():
    assert 0 < mcnemar(500, 700) < 1e-7
    assert mcnemar(600, 600) == 1.0


def test_six_flips_all_one_way_are_the_least_that_count():
    assert least_flips() == 6
    assert mcnemar(0, 5) > 0.05 > mcnemar(0, 6)


@pytest.mark.parametrize(("right", "of", "low", "high"), [(10, 10, 0.722, 1), (5, 10, 0.237, 0.763), (0, 20, 0, 0.161)])
def test_wilson_is_sound_at_the_ends(right, of, low, high):
    assert wilson(right, of) == pytest.approx((low, high), abs=1e-3)


@pytest.mark.parametrize(
    ("discordant", "difference", "pairs"),
    [(0.32, 0.25, 38), (0.30, 0.10, 234), (0.20, 0.10, 155), (0.20, 0.05, 626), (0.10, 0.05, 312)],
)
def test_how_many_pairs_a_difference_needs(discordant, difference, pairs):
    assert abs(pairs_needed(discordant, difference) - pairs) <= 1


@pytest.mark.parametrize(("first", "second", "of"), [(2, 9, 30), (0, 6, 10), (0, 0, 8), (20, 25, 120), (1, 0, 1)])
def test_the_bootstrap_interval_is_what_ten_thousand_draws_approach(first, second, of):
    pairs = numpy.array([-1] * first + [1] * second + [0] * (of - first - second))
    drawn = numpy.random.default_rng(7).choice(pairs, (10_000, of)).mean(axis=1)
    low, high = numpy.quantile(drawn, [0.025, 0.975])
    assert bootstrap(first, second, of) == pytest.approx((low, high), abs=1.01 / of)


# --- scoring


@pytest.mark.parametrize(
    ("kind", "expected", "reply", "right"),
    [
        ("contains", "severe cashew allergy", "He has a Severe, cashew allergy!", True),
        ("contains", "53", "It is 1530 marks.", False),
        ("contains", "53", "It is 53 marks.", True),
        ("contains", "1,240 points", "You have 1240 points", True),
        ("contains", "18 号", "10 月 18号以前别送", True),
        ("contains", "四楼", "客户住在四楼。", True),
        ("contains", "八楼", "客户住在四楼。", False),
        ("contains", "E4", "故障代码是Ｅ４", True),
        ("exact", "The barn", "barn.", True),
        ("exact", "barn", "in the barn", False),
        ("number", "31.70", "A refund of £31.7 in all", True),
        ("number", "31.70", "A refund of £3170", False),
        ("number", "1240", "1,240 points", True),
        ("number", "3500", "最多３５００瓦", True),
    ],
)
def test_a_reply_is_right_by_its_words_or_its_numbers(kind, expected, reply, right):
    assert is_right(Question("q", "?", (expected,), kind), reply) is right


def test_a_number_may_be_off_by_the_tolerance():
    question = Question("q", "?", ("100",), "number", tolerance=2)
    assert is_right(question, "about 101.5")
    assert not is_right(question, "about 103")


def test_normal_text_has_no_case_articles_punctuation_or_double_blanks():
    assert normal("  The “Red”,  house - a HOUSE ") == "red house house"


# --- questions


def test_lines_are_questions_and_come_back_as_lines():
    text = "How wide is it? = 40 metres | forty\nIs 2+2=4? = yes"
    found = read_lines(text)
    assert [(one.ask, one.expects) for one in found] == [
        ("How wide is it?", ("40 metres", "forty")),
        ("Is 2+2=4?", ("yes",)),
    ]
    assert written(found) == text


@pytest.mark.parametrize("text", ["no answer here", "= only an answer", "a question = "])
def test_a_line_without_question_or_answer_is_named(text):
    with pytest.raises(InputError, match="Line 2"):
        read_lines(f"one = 1\n{text}")


@pytest.mark.parametrize("data", [{}, {"questions": []}, {"questions": [{"ask": "x"}]}, {"questions": ["x"]}], ids=str)
def test_a_set_that_is_none_is_told(data):
    with pytest.raises(InputError):
        read_set(data)


@pytest.mark.parametrize("name", ["support-chat", "chinese-service"])
def test_the_sets_that_ship_can_be_answered_from_their_sources(name):
    """All of each answer's evidence is there when everything fits, and the evidence holds the answer."""
    questions = shipped_set(name).questions
    assert len(questions) >= 12
    sources = load(f"ctxcore/scenarios/{name}.json")
    everything = Arm("raw", Settings(system="raw", window=128_000))
    assert coverage(plan(sources, questions, (everything, everything)).calls).kept == 1.0
    for question in questions:
        assert question.evidence


# --- running


FACTS = [user("The lamp is green."), *talk(12, 6), user("The bell is bronze."), *talk(3, 6)]
SOURCES = scenario([system("Answer from the log."), *FACTS])
ASKED = read_lines("What colour is the lamp? = green\nOf what is the bell? = bronze\nHow deep is the well? = nine")
RAW, WIDE = Arm("raw", Settings(system="raw", window=1_600)), Arm("wide", Settings(system="gssc", window=16_000))


def reads_well(request) -> None:
    """A model that answers whatever its prompt says."""
    prompt_text = json.dumps(request.server.bodies[-1]["messages"])
    told = [word for word in ("green", "bronze") if word in prompt_text]
    usage = {"prompt_tokens": 100, "completion_tokens": 5}
    answer({"choices": [{"message": {"content": " ".join(told) or "I do not know."}}], "usage": usage})(request)


@pytest.fixture
def server():
    with serving() as acting:
        acting.acts = [reads_well]
        yield acting


def one_by_one() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1)


def model_of(server) -> Endpoint:
    return Endpoint("gpt-4o-mini", server.address, "key", timeout=5, retries=0)


def test_an_ideal_reader_is_right_where_the_proxy_says_that_the_answer_is_there(server):
    model = model_of(server)
    planned = plan(SOURCES, ASKED, (RAW, WIDE))
    answers = list(evaluate(planned, model, {}, executor=one_by_one()))
    found = outcome(answers, model.name)
    assert (found.first_only, found.second_only, found.both, found.neither) == (0, 1, 1, 1)
    for at, side in enumerate(found.sides):
        assert side.share == pytest.approx(coverage([call for call in planned.calls if call.arm == at]).kept)
    assert found.p == 1.0
    assert found.is_few
    assert found.difference == pytest.approx(1 / 3)
    assert found.low <= found.difference <= found.high
    assert set(strata(found, model.name)) == {"overflows"}


def test_without_management_the_oldest_messages_are_left_out_and_the_rest_is_sent_as_it_is():
    made = prompt(RAW, SOURCES, "What colour is the lamp?")
    assert (made.overflowed, made.fits) == (True, True)
    assert made.messages[0]["content"] == "Answer from the log."
    assert made.messages[-1]["content"] == "What colour is the lamp?"
    assert made.tokens <= made.trace.budget.room
    sent = [message["content"] for message in made.messages[1:-1]]
    assert sent == [message["content"] for message in SOURCES.messages[-len(sent) :]]


def test_the_price_is_told_before_anything_is_asked(server):
    planned = plan(SOURCES, ASKED, (RAW, WIDE))
    tokens = sum(call.prompt.tokens for call in planned.calls)
    assert planned.usd(model_of(server), {}) == pytest.approx((tokens * 0.15 + 6 * planned.max_tokens * 0.6) / 1e6)
    assert server.bodies == []
    assert planned.usd(Endpoint("some-model", server.address), {}) is None


def test_which_arm_is_asked_first_is_drawn_and_the_same_again():
    first, again = (plan(SOURCES, ASKED, (RAW, WIDE)) for _ in range(2))
    order = [call.arm for call in first.calls]
    assert order == [call.arm for call in again.calls]
    assert {tuple(order[at : at + 2]) for at in (0, 2, 4)} == {(0, 1), (1, 0)}


def test_a_stopped_run_goes_on_where_it_was_and_pays_nothing_twice(server):
    model, known, seen = model_of(server), {}, []
    planned = plan(SOURCES, ASKED, (RAW, WIDE))
    for one in evaluate(planned, model, known, executor=one_by_one(), stop=lambda: len(seen) >= 2):
        seen.append(one)
    assert 2 <= len(known) < 6
    paid = len(known)
    assert len(planned.due(model, known)) == 6 - paid
    before = len(server.bodies)
    answers = list(evaluate(planned, model, known, executor=one_by_one()))
    assert len(server.bodies) - before == 6 - paid
    assert [one.known for one in answers].count(True) == paid
    assert len(outcome(answers, model.name).pairs) == 3
    list(evaluate(planned, model, known))
    assert planned.usd(model, known) == 0


def test_a_refused_prompt_is_a_wrong_answer_and_a_failing_server_is_none(server):
    model = model_of(server)
    planned = plan(SOURCES, ASKED, (RAW, WIDE))
    too_long = fails(
        400, "maximum context length is 10 tokens, however you requested 20", code="context_length_exceeded"
    )
    server.acts = [too_long]
    found = outcome(evaluate(planned, model, {}, executor=one_by_one()), model.name)
    assert (len(found.pairs), found.neither) == (3, 3)
    server.acts, known = [fails(500, "out of order")], {}
    answers = list(evaluate(planned, model, known, executor=one_by_one()))
    assert known == {}
    assert outcome(answers, model.name).pairs == ()
    assert all("500" in one.error for one in answers)


def test_a_prompt_over_the_window_is_never_sent_and_counts_as_wrong(server):
    narrow = Arm("article", Settings(system="gssc", variant="article", window=900))
    model = model_of(server)
    planned = plan(SOURCES, ASKED, (narrow, WIDE))
    answers = list(evaluate(planned, model, {}, executor=one_by_one()))
    assert len(server.bodies) == 3
    found = outcome(answers, model.name)
    assert found.sides[0].right == 0
    assert found.second_only == 2


def test_any_executor_will_do(server):
    """The tasks are plain functions of plain values: they can be sent to another process."""
    import pickle

    from ctxcore.evaluating.evaluation import ask

    model = model_of(server)
    call = plan(SOURCES, ASKED[:1], (RAW, WIDE)).calls[0]
    task = (ask, model, call.prompt.messages, call.prompt.trace.tools, 8, None)
    work, *given = pickle.loads(pickle.dumps(task))
    assert work(*given)["prompt"] == 100


def test_a_key_that_is_refused_ends_the_run_and_is_no_answer(server):
    server.acts = [fails(401, "no such key")]
    model = model_of(server)
    answers = list(evaluate(plan(SOURCES, ASKED, (RAW, WIDE)), model, {}, executor=one_by_one()))
    assert 1 <= len(answers) <= 2  # one was on its way
    assert not answers[0].counts
    assert "OPENAI_API_KEY" in answers[0].error
