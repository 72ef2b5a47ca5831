"""Article 2, the compiler pipeline: a test for each of its mechanisms, and for each fault that `repaired` cures."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcore import Scenario, Services, Trace, build
from ctxcore.counting.tokens import counter_for
from ctxcore.fakes import FixedRetriever
from ctxcore.payload import Payload
from ctxcore.services import Hit
from ctxcore.stages import STAGES
from tests import laws
from tests.build import (
    WEATHER,
    assistant,
    built,
    calls,
    document,
    ids,
    payload_text,
    problems,
    record,
    result,
    rules,
    scenario,
    stage,
    system,
    talk,
    user,
    words,
)

RIVERS = [
    document("doc-01", "Lakes keep water for a long time."),
    document("doc-02", "A river is wide where it is slow. The river Rhine is 400 metres wide."),
    document("doc-03", "This list is an issue of hiking magazines."),
    document("doc-04", "Wide rivers carry ships."),
]
MEMORY = [record("memory-01", "Likes bullet points."), record("memory-02", "Lives in Basel.")]


def compiled(messages: list[dict[str, Any]], **more: Any) -> Trace:
    return built(messages, system="compiler", **more)


def articled(messages: list[dict[str, Any]], **more: Any) -> Trace:
    return compiled(messages, variant="article", **more)


def summaries(trace: Trace) -> list[str]:
    return [item.text for item in trace.final.items if item.source == "summary"]


# -- b1 … b9 -----------------------------------------------------------------------------------


def test_b1_the_payload_the_window_and_the_shares() -> None:
    sources = {"documents": RIVERS, "memory": MEMORY, "tools": [WEATHER]}
    trace = compiled([system(), user(), calls("c1"), result("c1"), user("How wide is the river?")], sources=sources)
    assert trace.budget.window == 32_000
    assert {use.name: (use.share, use.cap) for use in trace.limits} == {
        "system": (0.15, 4_800),
        "history": (0.5, 16_000),
        "retrieval": (0.25, 8_000),
        "tools": (0.1, 3_200),
    }
    assert {item.source for item in trace.snapshots[0].items} == {
        "system",
        "user",
        "conversation",
        "tool",
        "doc",
        "memory",
    }
    assert trace.tools == [WEATHER]
    assert trace.totals.tools > 0


@pytest.mark.parametrize("overflow", ["summarize", "truncate", "prioritize"])
def test_b2_all_three_overflow_strategies_work(overflow: str) -> None:
    messages = [*talk(12), user("What of lake1 number 2?")]
    options = {"conversation-compactor.overflow": overflow, "conversation-compactor.preserve_recent": 2}
    trace = compiled(messages, window=1_200, reserve=100, options=options)
    expected = {"summarize": "summarized", "truncate": "oldest-out", "prioritize": "least-relevant"}[overflow]
    assert expected in rules(trace, "conversation-compactor")
    assert {use.name: use.used for use in trace.limits}["history"] <= 600
    assert bool(summaries(trace)) == (overflow == "summarize")
    laws.check(trace.to_json(), valid_input=True)


def test_b2_prioritize_keeps_what_serves_the_question() -> None:
    messages = [user(words(3, "glacier")), assistant("The glacier is old."), *talk(12), user("How old is the glacier?")]
    options = {"conversation-compactor.overflow": "prioritize", "conversation-compactor.preserve_recent": 2}
    kept = ids(compiled(messages, window=800, options=options))
    assert "turn-0002" in kept
    assert "turn-0005" not in kept


def test_b3_exact_counting_by_the_model_s_encoding_with_a_named_fallback() -> None:
    text = words(20)
    exact = compiled([user(text)], model="gpt-4")
    assert exact.snapshots[0].items[0].tokens == counter_for("gpt-4").count(text)
    assert (exact.counter.name, exact.counter.exactness) == ("cl100k_base", "exact")
    other = compiled([user(text)], model="somebody-s-own", window=4_000)
    assert (other.counter.name, other.counter.exactness) == ("o200k_base", "fallback")


def test_b3_a_text_is_tokenized_once() -> None:
    counter = counter_for("gpt-4o")
    source = scenario([*talk(6), user("never counted before 8417")])
    build(source, system="compiler", window=4_000)
    calls_before = counter.calls
    build(source, system="compiler", window=4_100)
    assert counter.calls == calls_before


def test_b4_stages_are_a_list_to_add_to_remove_from_and_reorder() -> None:
    source = scenario([system(), *talk(2), user()], documents=RIVERS)
    names = ("static-content-loader", "retrieval-injector", "conversation-compactor", "final-assembler")
    assert [s.name for s in build(source, system="compiler", stages=names).snapshots] == list(names)


def test_b4_a_stage_is_switched_off_and_stays_on_the_rail() -> None:
    trace = compiled([user("mail ann@example.com")])
    skipped = stage(trace, "guardrail")
    assert skipped.skipped == "stage-off"
    assert rules(trace, "guardrail", "turn-0001") == ["stage-off"]


def test_b4_a_stage_may_have_a_condition() -> None:
    messages = [*talk(12), user()]
    met = compiled(messages, window=1_200, options={"conversation-compactor.when": "tokens > 500"})
    unmet = compiled(messages, window=1_200, options={"conversation-compactor.when": "items >= 1000"})
    assert "summarized" in rules(met, "conversation-compactor")
    assert set(rules(unmet, "conversation-compactor")) == {"condition-not-met"}
    laws.check(unmet.to_json(), valid_input=True, holds_limits=False)


def test_b4_a_stage_is_tested_alone() -> None:
    trace = compiled([*talk(12), user()], window=1_200)
    before: Payload = stage(trace, "conversation-compactor").before
    after = STAGES["conversation-compactor"](overflow="truncate").apply(before, Services(None, None))  # type: ignore[call-arg,arg-type]
    assert after.tokens < before.tokens
    assert before.tokens == stage(trace, "conversation-compactor").tokens_before


def test_b5_the_loader_brings_the_system_prompt_and_the_tools() -> None:
    trace = compiled([system("Be exact."), user()], sources={"tools": [WEATHER]})
    assert trace.snapshots[0].name == "static-content-loader"
    assert rules(trace, "static-content-loader", "system-01") == ["gathered"]
    assert trace.tools == [WEATHER]


def test_b6_nothing_is_compacted_below_the_share() -> None:
    trace = compiled([*talk(12), user()], window=4_000)
    assert set(rules(trace, "conversation-compactor")) == {"untouched"}


def test_b6_older_messages_become_one_marked_system_block_the_newest_six_stay() -> None:
    messages = [user("Goal: map every river."), assistant("Decided: we start at km 41."), *talk(12), user()]
    trace = compiled(messages, window=1_600, reserve=100)
    (text,) = summaries(trace)
    assert text.startswith("[PRIOR CONVERSATION SUMMARY]\n")
    assert "Goal: map every river." in text
    assert trace.messages[0] == {"role": "system", "content": text}
    assert [message["content"] for message in trace.messages[-6:]] == [message["content"] for message in messages[-6:]]
    assert set(rules(trace, "conversation-compactor", "turn-0027")) == {"recent"}


def test_b6_the_block_is_never_larger_than_what_it_stands_for() -> None:
    trace = compiled([user("a"), assistant("b"), *talk(3), user()], window=500, reserve=60)
    for decision in stage(trace, "conversation-compactor").decisions:
        assert decision.after <= decision.before
    laws.check(trace.to_json(), valid_input=True)


def test_b6_a_call_group_is_not_cut_by_the_newest_six() -> None:
    messages = [*talk(8), calls("c1", "c2"), result("c1", words(2)), result("c2", words(2)), *talk(2), user()]
    options = {"conversation-compactor.preserve_recent": 6}
    trace = compiled(messages, window=900, options=options)
    assert {
        rule for key in ("turn-0017", "turn-0018", "turn-0019") for rule in rules(trace, "conversation-compactor", key)
    } == {"recent"}
    laws.check(trace.to_json(), valid_input=True)


def test_b7_the_question_s_best_documents_in_rank_order_while_they_fit() -> None:
    trace = compiled([user("How wide is the river Rhine?")], sources={"documents": RIVERS}, window=4_000)
    assert rules(trace, "retrieval-injector", "doc-02") == ["retrieved"]
    ranks = [d.facts["rank"] for d in stage(trace, "retrieval-injector").decisions if d.rule == "retrieved"]
    assert sorted(ranks) == list(range(1, len(ranks) + 1))
    first = next(d for d in stage(trace, "retrieval-injector").decisions if d.facts.get("rank") == 1)
    assert first.item == "doc-02"


def test_b7_at_most_five_and_no_half_sentence() -> None:
    documents = [document(f"doc-{at:02d}", f"The river number {at} is wide. It is slow.") for at in range(1, 9)]
    trace = compiled([user("How wide is the river?")], sources={"documents": documents}, window=4_000)
    assert rules(trace, "retrieval-injector").count("retrieved") == 5
    assert rules(trace, "retrieval-injector").count("below-rank") == 3
    tight = compiled(
        [user("How wide is the river?")], sources={"documents": documents}, window=4_000, limits={"retrieval": 20}
    )
    kept = [item.text for item in tight.final.items if item.source == "doc"]
    assert kept
    assert all(text in {one["text"] for one in documents} for text in kept)


def test_b8_any_retriever_that_answers_search() -> None:
    from ctxcore.defaults import built_in_services

    chosen = Services(built_in_services().compressor, FixedRetriever((Hit(2, 0.9), Hit(0, 0.4))))
    trace = build(scenario([user("anything")], documents=RIVERS), system="compiler", services=chosen)
    assert [item.id for item in trace.final.items if item.source == "doc"] == ["doc-01", "doc-03"]
    assert rules(trace, "retrieval-injector", "doc-02") == ["no-match"]


def test_b9_documents_and_memory_are_written_into_the_system_message() -> None:
    trace = compiled(
        [system(), user("How wide is the river Rhine?")], sources={"documents": RIVERS[1:2], "memory": MEMORY}
    )
    assert trace.messages == [
        system(
            "Answer briefly.\n\n[RETRIEVED CONTEXT]\n" + RIVERS[1]["text"] + "\n[END RETRIEVED CONTEXT]\n\n"
            "[MEMORY NOTES]\n- Likes bullet points.\n- Lives in Basel."
        ),
        user("How wide is the river Rhine?"),
    ]


def test_b9_the_net_holds_the_window_and_what_was_paid_for_goes_last() -> None:
    messages = [system(), *talk(20, 5), user("How wide is the river Rhine?")]
    sources = {"documents": RIVERS, "memory": [record("memory-01", words(30, "habit"))]}
    for window in range(400, 2_000, 100):
        trace = compiled(messages, sources=sources, window=window, reserve=50)
        assert trace.fits
        dropped = [d.item for d in stage(trace, "final-assembler").decisions if d.rule == "safety-net"]
        if any(key.startswith("summary-") for key in dropped):
            assert {item.source for item in trace.final.items} <= {"system", "user"}


# -- the faults of the article's code (seed 2) -------------------------------------------------


def test_fault_2_1_the_net_pops_the_summary_that_was_just_paid_for() -> None:
    messages, sources = [system(), *talk(20, 6), user(words(3))], {"memory": [record("memory-01", words(120))]}
    more: Any = {"window": 1_800, "options": {"conversation-compactor.preserve_recent": 4}, "sources": sources}
    lost = articled(messages, **more)
    assert "summarized" in rules(lost, "conversation-compactor")
    popped = [d.item for d in stage(lost, "final-assembler").decisions if d.rule == "article-safety-net"]
    assert popped[0].startswith("summary-")
    assert not summaries(lost)
    cured = compiled(messages, **more)
    assert summaries(cured)
    assert cured.fits


def test_fault_2_1_it_counts_printed_python_and_gives_up_at_two_messages() -> None:
    lost = articled([system(words(80)), user("hi"), assistant("ho"), user(words(80))], window=500)
    assert len(lost.messages) == 2
    assert "article-net-gave-up" in problems(lost)
    assert not lost.fits
    short = [system("s"), *(user("ok") if at % 2 else assistant("ok") for at in range(120)), user("end")]
    window = compiled(short).totals.total + 50
    printed = articled(short, window=window)
    assert "article-safety-net" in rules(printed, "final-assembler")  # though the truth would have fitted
    assert compiled(short, window=window, reserve=0, limits={"history": "100%"}).totals.total <= window


def test_fault_2_2_tools_state_and_notes_are_never_rendered() -> None:
    sources = {
        "tools": [WEATHER],
        "notes": [record("note-01", "a note")],
        "state": {"id": "state-01", "value": "step 3"},
        "tool_results": [{"id": "tool-01", "tool": "sql", "text": "38%"}],
    }
    lost = articled([system(), user()], sources=sources)
    assert lost.tools == []
    assert "article-tools-not-sent" in problems(lost)
    for key in ("note-01", "state-01", "tool-01"):
        assert rules(lost, "final-assembler", key) == ["article-never-rendered"]
    cured = compiled([system(), user()], sources=sources)
    assert cured.tools == [WEATHER]
    assert all(text in payload_text(cured) for text in ("a note", "step 3", "38%"))


def test_fault_2_2_memory_has_no_cap_and_the_reserve_is_never_kept() -> None:
    sources = {"memory": [record("memory-01", words(400))]}
    lost = articled([system(), user()], sources=sources, window=2_000)
    assert not lost.fits
    assert lost.budget.reserve == 0
    cured = compiled([system(), user()], sources=sources, window=2_000)
    assert cured.fits
    assert cured.budget.reserve == 250


def test_fault_2_3_six_long_recent_messages_pass_untouched() -> None:
    messages = [*talk(3, 18), user()]
    lost = articled(messages, window=1_800, options={"conversation-compactor.preserve_recent": 7})
    assert "article-recent-over" in problems(lost)
    assert stage(lost, "conversation-compactor").tokens_after > 900
    cured = compiled(messages, window=1_800, options={"conversation-compactor.preserve_recent": 7})
    assert "compressed-recent" in rules(cured, "conversation-compactor")
    assert stage(cured, "conversation-compactor").tokens_after <= 900
    assert cured.messages[-1] == user()


def test_fault_2_5_substrings_match_inside_other_words() -> None:
    question = user("Where is it hi")
    lost = articled([question], sources={"documents": RIVERS}, window=4_000)
    assert "retrieved" in rules(lost, "retrieval-injector", "doc-03")  # "is" in "this", "hi" in "hiking"
    cured = compiled([user("Where does the Rhine flow?")], sources={"documents": RIVERS}, window=4_000)
    assert rules(cured, "retrieval-injector", "doc-03") == ["no-match"]


def test_fault_2_5_a_chinese_question_is_one_word_for_the_article() -> None:
    documents = [document("doc-01", "退款需要三个工作日处理。"), document("doc-02", "湖泊蓄水。")]
    lost = articled([user("退款要多久处理？")], sources={"documents": documents}, window=4_000)
    assert rules(lost, "retrieval-injector", "doc-01") == ["no-match"]
    cured = compiled([user("退款要多久处理？")], sources={"documents": documents}, window=4_000)
    assert rules(cured, "retrieval-injector", "doc-01") == ["retrieved"]


def test_fault_2_6_retrieval_stops_at_the_first_misfit() -> None:
    documents = [document("doc-01", "river " * 400 + "wide"), document("doc-02", "The river is wide.")]
    question = user("river wide")
    lost = articled([question], sources={"documents": documents}, window=1_000)
    assert rules(lost, "retrieval-injector", "doc-01") == ["article-misfit"]
    assert rules(lost, "retrieval-injector", "doc-02") == ["article-after-misfit"]
    cured = compiled([question], sources={"documents": documents}, window=1_000)
    assert "doc-02" in ids(cured)


def test_fault_2_7_the_article_tears_calls_from_their_results() -> None:
    messages = [user(words(40)), calls("c1"), result("c1", words(20)), *talk(3), user()]
    options = {"conversation-compactor.preserve_recent": 8}
    lost = articled(messages, window=1_000, options=options)
    roles = [item.id for item in lost.final.items]
    assert "turn-0003" in roles
    assert "turn-0002" not in roles
    cured = compiled(messages, window=1_000, options=options)
    laws.check(cured.to_json(), valid_input=True)


def test_the_article_s_own_example() -> None:
    source = Scenario.from_json(
        {
            "messages": [
                system(),
                user("What is a river?"),
                assistant("Water that flows."),
                user("How wide is the river?"),
            ],
            "documents": RIVERS,
            "memory": MEMORY,
            "schema": "ctxcore.scenario/1",
        }
    )
    for variant in ("article", "repaired"):
        trace = build(source, system="compiler", variant=variant)
        assert [message["role"] for message in trace.messages] == ["system", "user", "assistant", "user"]
        assert "[MEMORY NOTES]\n- Likes bullet points.\n- Lives in Basel." in trace.messages[0]["content"]
