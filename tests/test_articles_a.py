"""Article 1, GSSC: a test for each of its mechanisms, and one for each fault of its code, which `repaired` cures."""

from __future__ import annotations

import pytest

from ctxcore import Scenario, Trace, build
from tests import laws
from tests.build import (
    assistant,
    built,
    calls,
    document,
    ids,
    image,
    payload_text,
    problems,
    record,
    result,
    rules,
    scenario,
    stage,
    system,
    talk,
    tool_result,
    user,
    words,
)

EVERYTHING = {
    "documents": [document("doc-01", "Rivers carry water.", 0.9), document("doc-02", "Lakes keep it.", 0.4)],
    "tool_results": [tool_result("tool-01", "38%", recent=True), tool_result("tool-02", "65%")],
    "state": {"id": "state-01", "value": "step 3"},
    "notes": [record("note-01", "first note")],
}
RETENTION = {
    "system_prompt": "你是一个资深数据分析师，擅长用户行为分析。",
    "user_message": "请给出提升留存率的前 3 条建议。",
    "conversation_history": [
        user("看一下 Q1 的留存"),
        assistant("好的，查询中"),
        user("重点看新用户"),
        assistant("7 日留存率 38%，环比降 12%"),
    ],
    "tool_results": [{"tool": "sql_query", "result": "新用户: 38%, 老用户: 65%", "recent": True}],
    "task_state": {"goal": "找出原因", "step": 3},
    "agent_notes": "首日引导完成率只有 45%",
}


def articled(messages: list[dict[str, object]], **more: object) -> Trace:
    return built(messages, variant="article", **more)  # type: ignore[arg-type]


# -- a1 … a8 -----------------------------------------------------------------------------------


def test_a1_every_source_becomes_items_of_its_kind() -> None:
    audio = {"type": "input_audio", "input_audio": {"data": "UklGRgAA", "format": "wav"}}
    last = image("see")
    last["content"].append(audio)
    trace = built([system(), user(), assistant(), last], sources=EVERYTHING)
    found = {item.source for item in trace.snapshots[0].items}
    assert found == {"system", "user", "conversation", "tool", "doc", "state", "note", "image", "audio"}


def test_a2_an_item_says_what_the_article_s_does() -> None:
    trace = built([system(), user("one"), assistant("two"), user("three")], sources=EVERYTHING)
    items = {item.id: item for item in trace.snapshots[0].items}
    assert (items["system-01"].priority, items["turn-0004"].priority) == (1, 1)
    assert (items["turn-0002"].priority, items["turn-0003"].priority) == (8, 3)
    assert items["doc-01"].relevance == 0.9
    assert [item.turn for item in trace.snapshots[0].items if item.message] == [0, 1, 2, 3]
    assert all(item.tokens > 0 for item in items.values())


def test_a3_the_fixed_caps_and_the_window() -> None:
    trace = built([user()])
    assert (trace.budget.window, trace.budget.reserve) == (128_000, 4_096)
    assert trace.budget.caps() == {
        "system": 2_000,
        "state": 3_000,
        "notes": 2_000,
        "recent": 20_000,
        "history": 30_000,
        "tools": 40_000,
        "docs": 20_000,
    }


def test_a3_caps_scale_down_with_the_room_but_never_up_and_never_the_user_s() -> None:
    half = built([user()], window=64_000, reserve=2_048, limits={"docs": 5_000}).budget.caps()
    assert half["tools"] == pytest.approx(20_000, abs=5)
    assert half["docs"] == 5_000
    assert built([user()], window=1_000_000).budget.caps()["tools"] == 40_000
    assert articled([user()], window=8_000).budget.caps()["tools"] == 40_000


def test_a4_gather_takes_everything_and_judges_nothing() -> None:
    trace = built([system(), *talk(4), user()], sources=EVERYTHING, window=120)
    assert set(rules(trace, "gather")) == {"gathered"}
    items = stage(trace, "gather").items
    priorities = {item.id: item.priority for item in items}
    assert [priorities[key] for key in ("tool-01", "tool-02", "doc-01", "state-01", "note-01")] == [2, 6, 4, 2, 2]
    spoken = [item.priority for item in items if item.source == "conversation"]
    assert spoken == sorted(spoken, reverse=True)
    assert (spoken[0], spoken[-1]) == (8, 3)


def test_a5_system_and_question_are_always_kept() -> None:
    trace = built([system(words(60)), *talk(3), user(words(40))], sources=EVERYTHING, window=200)
    assert ids(trace, "select")[0] == "system-01"
    assert rules(trace, "select", "system-01") == ["always"]
    assert rules(trace, "select", "turn-0008") == ["always"]
    assert "over-cap" in problems(trace)


def test_a5_documents_by_relevance_under_their_cap() -> None:
    documents = [document(f"doc-{at:02d}", words(8, f"pond{at}"), score) for at, score in enumerate((0.2, 0.9, 0.5), 1)]
    trace = built([user()], sources={"documents": documents}, window=8_000, limits={"docs": 200})
    kept = [item.id for item in stage(trace, "select").items if item.source == "doc"]
    assert kept == ["doc-02", "doc-03"]
    assert rules(trace, "select", "doc-01") == ["cap"]


def test_a5_recent_tool_results_first() -> None:
    results = [tool_result("tool-01", words(8, "old")), tool_result("tool-02", words(8, "new"), recent=True)]
    trace = built([user()], sources={"tool_results": results}, window=8_000, limits={"tools": 110})
    assert rules(trace, "select", "tool-02") == ["fits"]
    assert rules(trace, "select", "tool-01") == ["cap"]


def test_a5_conversation_newest_first() -> None:
    trace = built([*talk(8), user()], window=8_000, limits={"recent": 150, "history": 200})
    kept = [item.turn for item in trace.final.items]
    assert kept == list(range(min(kept), 17))
    assert rules(trace, "select", "turn-0001") == ["cap"]


def test_a5_history_goes_first_where_the_room_is_short() -> None:
    messages = [system(), *talk(6), user()]
    limits = {"recent": 1, "history": 4_000, "docs": 4_000, "tools": 4_000, "notes": 4_000, "state": 4_000}
    rank = [*(["conversation"] * 12), "doc", "doc", "tool", "tool", "note", "state"]
    left = rank
    for window in range(620, 20, -5):
        trace = built(messages, sources=EVERYTHING, window=window, reserve=0, limits=limits)
        now = [str(item.source) for item in trace.final.items if item.source not in ("system", "user")]
        gone = list(rank)
        for source in now:
            gone.remove(source)
        assert gone == rank[: len(gone)], f"at {window}: {gone} are gone"
        left = now
    assert left == []


def test_a5_a_call_and_its_results_count_to_two_limits_and_stay_only_if_both_fit() -> None:
    messages = [user(), calls("c1"), result("c1", words(30, "gauge")), assistant("So wide."), user("And now?")]
    trace = built(messages, window=8_000, limits={"tools": 20}, options={"select.admit_compressed": "false"})
    assert rules(trace, "select", "turn-0002") == rules(trace, "select", "turn-0003") == ["group-cap"]
    roomy = built(messages, window=8_000, limits={"tools": 2_000})
    assert {use.name: use.used for use in roomy.limits}["tools"] > 300


def test_a6_only_what_would_not_fit_is_compressed_and_it_is_marked() -> None:
    sources = {"documents": [document("doc-01", words(300), 0.9)]}
    roomy = built([user()], sources=sources)
    assert rules(roomy, "summarize", "doc-01") == ["untouched"]
    tight = built([user()], sources=sources, limits={"docs": 500})
    assert rules(tight, "summarize", "doc-01") == ["to-target"]
    (item,) = (item for item in tight.final.items if item.id == "doc-01")
    assert item.text.startswith("[压缩] ")
    assert item.tokens <= 500


def test_a6_a_tool_result_keeps_its_numbers_as_far_as_the_limit_allows() -> None:
    figures = (
        "Introduction without any figure, of which there are many words. " * 60
        + "Retention was 38% on day 7, down 12%."
    )
    trace = built(
        [user("What was the retention?")],
        sources={"tool_results": [tool_result("tool-01", figures)]},
        window=1_000,
        limits={"tools": 60},
    )
    assert rules(trace, "summarize", "tool-01") == ["to-target"]
    assert "38%" in payload_text(trace)
    assert "12%" in payload_text(trace)


def test_a6_the_article_compresses_everything_above_two_thousand_at_its_lengths() -> None:
    sources = {"documents": [document("doc-01", words(300), 0.9)], "tool_results": [tool_result("tool-01", words(300))]}
    trace = articled([user()], sources=sources)
    texts = {item.id: item.text for item in trace.final.items}
    assert rules(trace, "summarize", "doc-01") == rules(trace, "summarize", "tool-01") == ["long-item"]
    assert len(texts["doc-01"]) <= 300 + len("[压缩] ")
    assert len(texts["tool-01"]) <= 500 + len("[压缩] ")


def test_a7_the_sandwich() -> None:
    trace = built([system(), *talk(5), user()], sources=EVERYTHING, window=2_000, limits={"recent": 150})
    first, *middle, last = trace.messages
    assert first["role"] == "system"
    assert first["content"] == "Answer briefly.\n\n## 当前任务状态\nstep 3\n\n## 执行笔记\nfirst note"
    assert middle[0]["content"] == "## 相关知识\n\nRivers carry water.\n\n---\n\nLakes keep it."
    at = next(at for at, message in enumerate(middle) if "[工具: sql]" in message["content"])
    assert middle[at]["role"] == "user"
    history, recent = middle[1:at], middle[at + 1 :]
    assert history
    assert recent
    assert last == user()


def test_a7_recent_turns_are_the_newest_within_their_limit_and_no_message_stands_twice() -> None:
    trace = built([*talk(6), user()], window=4_000, limits={"recent": 150})
    split = [item.limit for item in trace.final.items]
    assert split == sorted(split)  # history, then recent
    assert {"history", "recent"} == set(split)
    used = {use.name: use.used for use in trace.limits}
    assert 0 < used["recent"] <= 150
    texts = [message["content"] for message in trace.messages]
    assert len(texts) == len(set(texts))


def test_a7_headings_and_marks_are_options() -> None:
    options = {
        "construct.state_heading": "# STATE",
        "construct.notes_heading": "# NOTES",
        "construct.docs_heading": "# DOCS",
        "construct.divider": "***",
        "construct.tools_heading": "",
        "construct.tool_label": "<{name}>",
    }
    said = payload_text(built([system(), user()], sources=EVERYTHING, options=options))
    assert "# STATE\nstep 3\n\n# NOTES\nfirst note" in said
    assert "# DOCS\n\nRivers carry water.\n\n***\n\nLakes keep it." in said
    assert "<sql>\n38%" in said


def test_a7_the_question_moves_to_the_end_only_if_nothing_follows_it() -> None:
    messages = [user("first"), assistant("second"), user("the question"), calls("c1"), result("c1", "found")]
    trace = built(messages, sources=EVERYTHING)
    assert [message["role"] for message in trace.messages[-3:]] == ["user", "assistant", "tool"]
    laws.validity(trace.messages, trace.tools)


def test_a8_the_article_s_own_call() -> None:
    trace = build(Scenario.from_json(RETENTION))
    assert [len(ids(trace, name)) for name in ("gather", "select")] == [9, 9]
    assert sum(rule in ("to-target", "long-item") for rule in rules(trace, "summarize")) == 0
    assert [message["role"] for message in trace.messages] == [
        "system",
        "user",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    same = articled([], sources=RETENTION)
    assert [message["role"] for message in same.messages] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "assistant",
        "user",
    ]


def test_a8_each_stage_reports_and_can_be_replaced() -> None:
    source = scenario([system(), *talk(3), user()], **EVERYTHING)
    trace = build(source)
    assert [snapshot.name for snapshot in trace.snapshots] == ["gather", "select", "summarize", "construct"]
    assert all(len(snapshot.decisions) >= len(snapshot.items) for snapshot in trace.snapshots)
    other = build(source, stages=("gather", "conversation-compactor", "construct"), system="compiler")
    assert [snapshot.name for snapshot in other.snapshots] == ["gather", "conversation-compactor", "construct"]
    assert other.messages == trace.messages


# -- the faults of the article's code (seed 1) -------------------------------------------------


def test_fault_1_1_select_before_summarize_drops_what_could_have_been_compressed() -> None:
    sources = {"tool_results": [tool_result("tool-01", "day 7: 38% stay. " * 9_000)]}
    lost = articled([user()], sources=sources)
    assert rules(lost, "select", "tool-01") == ["article-cap"]
    swapped = articled([user()], sources=sources, stages=("gather", "summarize", "select", "construct"))
    assert "38%" in payload_text(swapped)
    cured = built([user()], sources=sources)
    assert rules(cured, "select", "tool-01") == ["fits-compressed"]
    assert "38%" in payload_text(cured)


def test_fault_1_2_the_article_s_loop_stops_at_the_first_misfit() -> None:
    sources = {"documents": [document("doc-01", words(6_000), 0.9), document("doc-02", "Lakes keep water.", 0.8)]}
    lost = articled([user()], sources=sources)
    assert rules(lost, "select", "doc-01") == ["article-cap"]
    assert rules(lost, "select", "doc-02") == ["article-after-misfit"]
    cured = built([user()], sources=sources, options={"select.admit_compressed": "false"})
    assert rules(cured, "select", "doc-01") == ["cap"]
    assert "doc-02" in ids(cured)


def test_fault_1_3_only_the_first_system_text_state_and_note_is_written() -> None:
    sources = {"notes": [record("note-01", "first note"), record("note-02", "second note")]}
    lost = articled([system("one"), system("two"), user()], sources=sources)
    assert rules(lost, "construct", "note-02") == rules(lost, "construct", "system-02") == ["article-first-only"]
    assert "second note" not in payload_text(lost)
    cured = payload_text(built([system("one"), system("two"), user()], sources=sources))
    assert "second note" in cured
    assert "two" in cured


def test_fault_1_3_without_a_system_prompt_state_and_notes_vanish() -> None:
    lost = articled([user()], sources=EVERYTHING)
    assert rules(lost, "construct", "note-01") == rules(lost, "construct", "state-01") == ["article-no-system"]
    assert "first note" in payload_text(built([user()], sources=EVERYTHING))


def test_fault_1_4_the_window_is_never_read() -> None:
    messages = [system(), *talk(30), user()]
    lost = articled(messages, window=1_000)
    assert not lost.fits
    assert lost.exit_code == 0
    assert problems(lost) == ["over-budget"]
    assert built(messages, window=1_000).fits


def test_fault_1_5_the_newest_of_four_turns_has_priority_4() -> None:
    messages = [*talk(2), user()]
    assert [item.priority for item in articled(messages).snapshots[0].items][:4] == [8, 6, 5, 4]
    assert [item.priority for item in built(messages).snapshots[0].items][:4][-1] == 3


def test_fault_1_5_of_equal_priority_the_oldest_tool_results_are_kept() -> None:
    results = [tool_result(f"tool-{at:02d}", words(1_500, f"gauge{at}")) for at in range(1, 6)]
    lost = articled([user()], sources={"tool_results": results})
    kept = [item.id for item in stage(lost, "select").items if item.source == "tool"]
    assert kept == ["tool-01"]
    cured = built([user()], sources={"tool_results": results}, options={"select.admit_compressed": "false"})
    newest = [item.id for item in stage(cured, "select").items if item.source == "tool"]
    assert "tool-05" in newest
    assert "tool-01" not in newest


def test_fault_1_6_the_article_has_no_recent_block_of_its_own() -> None:
    lost = articled([system(), *talk(3), user()], sources=EVERYTHING)
    assert {item.limit for item in lost.final.items if item.source == "conversation"} == {"history"}
    assert [message["role"] for message in lost.messages[-3:]] == ["assistant", "assistant", "user"]  # tools stand last


def test_fault_1_7_a_third_of_the_characters_halves_chinese() -> None:
    text = "新用户七日留存率环比下降" * 40
    trace = articled([user(text), assistant("ok"), user()])
    (decision,) = (d for d in stage(trace, "select").decisions if d.item == "turn-0001")
    assert decision.rule == "article-fits"
    assert decision.facts["estimate"] < 0.75 * decision.facts["tokens"]
    assert decision.before == decision.facts["tokens"]  # the trace's own count is the true one


def test_fault_1_8_calls_are_lost_and_content_none_becomes_a_word() -> None:
    messages = [user(), calls("c1"), result("c1", "7 degrees"), user("And?")]
    lost = articled(messages)
    assert rules(lost, "construct", "turn-0002")[0] == "article-calls-lost"
    assert {"role": "assistant", "content": "None"} in lost.messages
    laws.validity(built(messages).messages, ())


def test_fault_1_9_the_article_compresses_the_question_itself() -> None:
    question = words(400)
    lost = articled([user(question)])
    assert rules(lost, "summarize", "turn-0001") == ["long-item"]
    assert built([user(question)]).messages == [user(question)]
