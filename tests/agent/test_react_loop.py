"""The ReAct loop: a fold of builds over steps, its board, its fingerprints, its ends (c2, c8, c10, c11; b10)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from ctxcore import Scenario, Settings
from ctxcore.agent.loop import chat_turn, react
from ctxcore.agent.manner import Asking
from ctxcore.agent.step import Step
from ctxcore.agent.tools import Tool, calculator, one_argument
from ctxcore.defaults import built_in_services
from ctxcore.fakes import ScriptedModel
from ctxcore.item import Call
from ctxcore.model.replies import ModelError, Reply
from ctxcore.retrieving.retrieval import BM25Retriever
from tests import laws
from tests.build import document, record, scenario, system, user, words

GOAL = "How wide are the Rhine and the Elbe at their widest?"
LAYERED = Settings(system="layered", window=8_000)


def asks(name: str, argument: str, thought: str = "Next.", key: str = "") -> Reply:
    return Reply(f"Thought: {thought}", (Call(key, name, json.dumps({"query": argument})),))


def answer(text: str = "400 metres") -> Reply:
    return Reply(f"Thought: done\nFinal Answer: {text}")


class Library:
    """A search tool that counts how often it is asked."""

    def __init__(self, text: str = "It is 400 metres wide.") -> None:
        self.text, self.asked = text, list[str]()

    @property
    def tool(self) -> Tool:
        return Tool("search", "Searches.", one_argument("query", "words"), self._run)

    def _run(self, query: str) -> str:
        self.asked.append(query)
        return self.text


def task(**more: Any) -> Scenario:
    return scenario([system("Work in steps."), user(GOAL)], **more)


def run(
    replies: Sequence[Any], library: Library | None = None, opening: Scenario | None = None, **more: Any
) -> list[Step]:
    tools = ((library or Library()).tool, calculator())
    return list(react(opening or task(), ScriptedModel(replies), tools, **{"settings": LAYERED, **more}))


def test_c11_a_task_of_two_calls_and_an_answer() -> None:
    steps = run([asks("search", "Rhine"), asks("calculator", "400 * 2"), answer("800")])
    assert [(step.fingerprint, step.ended) for step in steps] == [
        ("search:Rhine", ""),
        ("calculator:400 * 2", ""),
        ("", "answered"),
    ]
    assert steps[1].observation == "calculator:400 * 2\n800"
    assert steps[-1].answer == "800"
    assert steps[-1].finished
    assert [len(step.trace.scenario.messages) for step in steps] == [2, 4, 6]
    for step in steps:
        laws.check(step.trace.to_json(), valid_input=True)


def test_c11_the_state_between_steps_is_what_the_next_build_starts_from() -> None:
    first, second = run([asks("search", "Rhine"), answer()])
    assert second.trace.scenario.messages == first.scenario.messages
    call, result = first.scenario.messages[-2:]
    assert call["tool_calls"][0]["id"] == result["tool_call_id"] == "call-0003"
    assert second.scenario.messages[-1] == {"role": "assistant", "content": "400 metres"}


def test_c2_the_board_is_updated_the_moment_a_tool_returns() -> None:
    state = {"value": {"goal": GOAL, "current": "Rhine", "todo": ["Elbe", "sum"], "done": []}}
    replies = [asks("search", "Rhine"), asks("search", "Elbe", "Rhine is done.\nSub-task: Elbe"), answer()]
    first, second, last = run(replies, opening=task(state=state))
    assert (first.board.current, first.board.todo, first.board.done) == ("Rhine", ("Elbe", "sum"), ("search:Rhine",))
    assert "search:Rhine" in next(item.text for item in second.trace.final.items if item.id == "board")
    assert (second.board.current, second.board.todo) == ("Elbe", ("sum",))
    assert second.board.done == ("search:Rhine", "Rhine", "search:Elbe")
    assert (last.board.current, last.board.todo) == ("", ())


def test_c8_the_fingerprint_stands_at_the_head_of_the_observation() -> None:
    first, _ = run([asks("search", "Rhine"), answer()])
    assert first.observation.splitlines()[0] == "search:Rhine"
    assert first.observation_raw == "It is 400 metres wide."


def test_c8_a_repeated_call_is_answered_without_the_tool() -> None:
    library = Library()
    replies = [asks("search", "Rhine"), Reply("", (Call("", "search", '{ "query" :  "Rhine" }'),)), answer()]
    steps = run(replies, library)
    assert library.asked == ["Rhine"]
    assert [step.repeated for step in steps] == [False, True, False]
    assert [told.rule for told in steps[1].told] == ["agent-repeat"]
    assert "step 1" in steps[1].observation
    assert "400 metres" in steps[1].observation
    assert steps[2].board.done.count("search:Rhine") == 1
    laws.check(steps[2].trace.to_json(), valid_input=True)


def test_c8_calls_of_the_conversation_before_are_known_too() -> None:
    library = Library()
    first, _ = run([asks("search", "Rhine"), answer()], library)
    went_on = run([asks("search", "Rhine"), answer()], library, first.scenario)
    assert library.asked == ["Rhine"]
    assert went_on[0].repeated


def test_c11_without_management_everything_stays_and_a_call_runs_again() -> None:
    library = Library(words(30))
    steps = run([asks("search", "Rhine"), asks("search", "Rhine"), answer()], library, managed=False)
    assert library.asked == ["Rhine", "Rhine"]
    assert [step.repeated for step in steps] == [False, True, False]
    assert steps[-1].trace.system.name == "raw"
    assert [step.observation for step in steps[:2]] == [library.text] * 2
    assert all(step.trace.budget.window == 8_000 for step in steps)


def test_c11_without_management_a_task_breaks_off_at_the_window() -> None:
    library = Library(words(60))
    steps = run(
        [asks("search", f"river {at}") for at in range(12)],
        library,
        managed=False,
        settings=Settings(system="layered", window=3_000),
    )
    assert steps[-1].ended == "window-overflow"
    assert steps[-1].reply is None
    assert steps[-1].predicted > 3_000
    managed = run(
        [asks("search", f"river {at}") for at in range(12)], library, settings=Settings(system="layered", window=3_000)
    )
    assert managed[-1].ended == "max-steps"
    assert max(step.predicted for step in managed) <= 2_700


def test_c11_an_observation_is_compressed_for_the_current_sub_task() -> None:
    rivers = "\n".join(
        f"{name}: {words(12, name.lower())} The {name} ends at kilometre {at}."
        for at, name in enumerate(("Rhine", "Elbe", "Oder", "Main"), 871)
    )
    first, _ = run(
        [asks("search", "Elbe kilometre", "Look.\nSub-task: where the Elbe ends"), answer()], Library(rivers)
    )
    assert "kilometre 872" in first.observation
    assert "kilometre 873" not in first.observation
    assert first.observed
    assert first.observed.tokens_after < first.observed.tokens_before / 2
    assert "873" in first.observed.lost.numbers
    assert [told.rule for told in first.told] == ["agent-observed"]
    kept, _ = run(
        [asks("search", "Elbe"), answer()],
        Library(rivers),
        settings=Settings(system="layered", window=8_000, options=(("compress-observation.trigger", "never"),)),
    )
    assert "kilometre 873" in kept.observation


def test_c11_the_steps_are_bounded_and_the_end_says_so() -> None:
    steps = run([asks("search", f"river {at}") for at in range(9)], max_steps=4)
    assert [step.ended for step in steps] == ["", "", "", "max-steps"]
    assert not steps[-1].finished
    assert steps[-1].observation
    assert run([answer()], max_steps=0) == []


def test_c11_a_failing_model_ends_the_loop_and_what_was_done_stays() -> None:
    steps = run([asks("search", "Rhine"), ModelError("rate", "429", host="api.example")])
    assert [step.ended for step in steps] == ["", "model-error"]
    assert "429" in steps[-1].error
    assert steps[-1].board.done == ("search:Rhine",)


def test_a_reply_that_cannot_be_read_is_told_once_and_not_kept() -> None:
    steps = run(["Thought: I wonder", asks("search", "Rhine"), answer()])
    assert [told.rule for told in steps[0].told] == ["agent-unread"]
    assert "neither an Action" in str(steps[1].trace.messages[-1]["content"])
    assert "I wonder" not in json.dumps(steps[2].trace.messages)
    assert len(steps[2].trace.scenario.messages) == 4


def test_stopping_between_steps_and_inside_a_reply() -> None:
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 1

    steps = run([asks("search", "Rhine"), answer()], stop=stop)
    assert [step.ended for step in steps] == ["", "stopped"]
    streamed = run(
        ["Thought: a long reply of many words"],
        stop=iter([False, False, True, True]).__next__,
        asking=Asking(on_text=lambda text: None),
    )
    assert streamed[-1].ended == "stopped"
    assert streamed[-1].reply
    assert streamed[-1].reply.finish == "stopped"


def test_several_calls_in_one_reply_are_one_call_a_step() -> None:
    both = Reply("", (Call("a", "search", '{"query":"Rhine"}'), Call("b", "search", '{"query":"Elbe"}')))
    first, second = run([both, answer()])
    assert [told.rule for told in first.told] == ["agent-one-call"]
    assert [c["id"] for c in first.scenario.messages[-2]["tool_calls"]] == ["a"]
    laws.check(second.trace.to_json(), valid_input=True)


def test_an_id_that_the_model_gives_twice_is_replaced() -> None:
    steps = run([asks("search", "Rhine", key="c"), asks("search", "Elbe", key="c"), answer()])
    made = [m["tool_calls"][0]["id"] for m in steps[-1].scenario.messages if m.get("tool_calls")]
    assert made == ["c", "call-0005"]
    laws.check(steps[-1].trace.to_json(), valid_input=True)


@pytest.mark.parametrize(
    ("speech", "replies"),
    [
        ("text", ["Thought: look\nAction: search\nAction Input: Rhine", "Thought: done\nFinal Answer: 400 metres"]),
        (
            "json",
            [
                '{"thought":"look","sub_task":"","action":"search","action_input":"Rhine"}',
                '{"thought":"done","sub_task":"","action":"finish","action_input":"400 metres"}',
            ],
        ),
    ],
)
def test_c11_models_without_native_calls(speech: str, replies: list[str]) -> None:
    first, last = run(replies, asking=Asking(speech))
    assert first.trace.tools == []
    assert "search" in str(first.trace.messages[1]["content"])
    assert (first.fingerprint, last.answer) == ("search:Rhine", "400 metres")
    assert first.scenario.messages[-2]["content"] == "look"
    laws.check(last.trace.to_json(), valid_input=True)


def test_a_schema_is_asked_for_json_alone() -> None:
    seen: list[Any] = []

    class Model(ScriptedModel):
        def reply(self, messages: Any, **more: Any) -> Reply:
            seen.append((bool(more["tools"]), bool(more["schema"]), more["max_tokens"]))
            return super().reply(messages, **more)

    for speech in ("calls", "json", "text"):
        list(
            react(
                task(),
                Model(['{"thought":"","action":"finish","action_input":"x"}']),
                (calculator(),),
                settings=LAYERED,
                asking=Asking(speech),
            )
        )
    assert seen == [(True, False, 800), (False, True, 800), (False, False, 800)]


def test_c10_recall_runs_when_the_sub_task_changes_and_says_why() -> None:
    sources = {
        "documents": [document("doc-01", "The Elbe is wide at its mouth.", 0.9)],
        "memory": [record("memory-01", "The Rhine was measured.")],
    }
    replies = [
        asks("search", "Rhine", "a\nSub-task: Rhine"),
        asks("search", "Rhine mouth", "b"),
        asks("recall", "Elbe", "c"),
        answer(),
    ]
    steps = run(replies, opening=task(**sources))
    told = [next(t for t in step.told if t.rule.startswith("agent-recall")) for step in steps]
    assert [t.rule for t in told] == ["agent-recall-ran", "agent-recall-ran", "agent-recall-kept", "agent-recall-asked"]
    assert told[2].facts == {"step": 2}
    assert [t.says("zh") for t in told]


def test_c10_where_recall_gives_what_it_gave_nothing_is_searched() -> None:
    class Counting(BM25Retriever):
        def search(self, query, texts, k):
            searched.append(query)
            return super().search(query, texts, k)

    searched: list[str] = []
    services = replace(built_in_services(), retriever=Counting())
    memory = [record("memory-01", "The Rhine was measured."), record("memory-02", "The Elbe ends at Cuxhaven.")]
    replies = [
        asks("search", "Rhine", "a\nSub-task: Rhine"),
        asks("search", "Rhine mouth", "b"),
        asks("recall", "Elbe", "c"),
        answer(),
    ]
    steps = run(replies, opening=task(memory=memory), asking=Asking(services=services))
    ran = [step for step in steps if any(t.rule in ("agent-recall-ran", "agent-recall-asked") for t in step.told)]
    assert len(searched) == len(ran) == 3
    assert searched[1:] == ["Rhine", "Rhine"]


def test_the_article_variant_forgets_as_its_code_does() -> None:
    library = Library(words(60))
    replies = [asks("search", "Rhine"), asks("search", "Rhine"), asks("search", "Elbe"), answer()]
    steps = run(replies, library, settings=Settings(system="layered", variant="article", window=8_000))
    assert library.asked == ["Rhine", "Rhine", "Elbe"]
    assert steps[0].board.current == "步骤1完成"
    assert steps[2].board.done == ()
    assert steps[0].scenario.messages[-1]["role"] == "user"
    assert str(steps[0].scenario.messages[-1]["content"]).startswith("观察结果：")
    for step in steps:
        laws.check(step.trace.to_json())


@pytest.mark.parametrize("name", ["gssc", "compiler"])
def test_other_systems_manage_the_same_loop(name: str) -> None:
    steps = run(
        [asks("search", f"river {at}") for at in range(6)] + [answer()],
        Library(words(60)),
        settings=Settings(system=name, window=4_000),
    )
    assert steps[-1].finished
    for step in steps:
        laws.check(step.trace.to_json(), valid_input=True)


def test_b10_one_turn_of_a_chat_carries_its_history_on() -> None:
    model = ScriptedModel(["It is wide.", "Longer."])
    opening = scenario([system()])
    text, after, trace = chat_turn(opening, model, Settings(system="compiler"), "How wide is it?")
    assert (text, trace.messages[-1]) == ("It is wide.", user("How wide is it?"))
    _, last, trace = chat_turn(after, model, Settings(system="compiler"), "And how long?")
    assert [m["role"] for m in trace.messages] == ["system", "user", "assistant", "user"]
    assert len(last.messages) == 5
    assert len(opening.messages) == 1
    with pytest.raises(ModelError):
        chat_turn(last, model, None, "More?")


def test_predicted_tokens_stand_beside_the_bill() -> None:
    (step,) = run([Reply("Final Answer: 1", prompt_tokens=99)])
    assert (step.reported, step.predicted) == (99, step.trace.totals.total)
    assert step.to_json()["reported"] == 99
    json.dumps(step.to_json("zh"))


def test_the_steps_come_one_by_one() -> None:
    steps: Iterator[Step] = react(
        task(), model := ScriptedModel([asks("search", "Rhine"), answer()]), (Library().tool,), settings=LAYERED
    )
    next(steps)
    assert len(model.asked) == 1
