"""The articles' own names and signatures, on the same engine."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcore import ContextBudget, ContextItem, ContextLayer, ContextLayerWithMemory, GSSCPipeline, Scenario, build
from tests import laws
from tests.build import WEATHER, assistant, talk, user, words

GIVEN: dict[str, Any] = {
    "system_prompt": "You analyse rivers.",
    "user_message": "Which is the widest?",
    "conversation_history": [user("Look at the rivers."), assistant("I did.")],
    "tool_results": [{"tool": "sql", "result": "Rhine 400, Rhone 300", "recent": True}],
    "retrieved_docs": [
        {"content": "The Rhine flows north.", "score": 0.9},
        {"content": "The Rhone flows south.", "score": 0.7},
    ],
    "task_state": {"goal": "widest river", "step": 2},
    "agent_notes": "Widths are in metres.",
}


class Texts:
    """A retriever as article 2 has it: texts, best first."""

    def __init__(self, *texts: str) -> None:
        self.texts, self.asked = texts, list[str]()

    def search(self, query: str) -> list[str]:
        self.asked.append(query)
        return list(self.texts)


def test_gssc_pipeline_takes_raw_inputs_and_gives_messages() -> None:
    pipeline = GSSCPipeline(ContextBudget(), max_item_tokens=2_000)
    messages = pipeline.build(**GIVEN)
    assert [message["role"] for message in messages] == ["system", "system", "user", "user", "assistant", "user"]
    assert "## 执行笔记\nWidths are in metres." in messages[0]["content"]
    assert messages[-1] == user("Which is the widest?")
    assert pipeline.trace is not None
    laws.check(pipeline.trace.to_json())


def test_gssc_pipeline_without_the_optional_inputs() -> None:
    assert GSSCPipeline().build("Be brief.", "Hello") == [{"role": "system", "content": "Be brief."}, user("Hello")]


def test_gssc_pipeline_holds_the_budget_it_is_given() -> None:
    pipeline = GSSCPipeline(ContextBudget(total_tokens=1_000, output_reserve=100, retrieved_docs_max=50))
    pipeline.build(**{**GIVEN, "retrieved_docs": [{"content": words(100), "score": 0.9}]})
    trace = pipeline.trace
    assert trace is not None
    assert (trace.budget.window, trace.budget.reserve, trace.budget.caps()["docs"]) == (1_000, 100, 50)
    assert trace.budget.caps()["tools"] < 40_000
    assert trace.fits


def test_gssc_pipeline_as_the_article_does_it() -> None:
    pipeline = GSSCPipeline(variant="article")
    messages = pipeline.build(**GIVEN)
    assert [message["role"] for message in messages] == ["system", "system", "user", "assistant", "assistant", "user"]


def test_gssc_pipeline_says_the_same_as_build() -> None:
    pipeline = GSSCPipeline()
    messages = pipeline.build(**GIVEN)
    assert messages == build(Scenario.from_json(GIVEN), system="gssc", window=128_000, reserve=4_096).messages


def test_context_layer_compiles_without_a_model() -> None:
    search = Texts("The Rhine is 400 m wide.", "The Rhone is 300 m wide.")
    layer = ContextLayer("You know rivers.", [WEATHER], search, model="gpt-4o", max_tokens=4_000)
    messages = layer.compile(
        [user("Hello"), ContextItem("assistant", "Hello."), ContextItem("user", "How wide is the Rhine?")]
    )
    assert search.asked == ["How wide is the Rhine?"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    assert (
        "[RETRIEVED CONTEXT]\nThe Rhine is 400 m wide.\n---\nThe Rhone is 300 m wide.\n[END" in messages[0]["content"]
    )
    assert layer.trace is not None
    assert layer.trace.tools == [WEATHER]


def test_context_layer_leaves_the_caller_s_history_alone() -> None:
    history = [*talk(20), user()]
    before = [dict(message) for message in history]
    layer = ContextLayer("You know rivers.", [], model="gpt-4o", max_tokens=1_000)
    layer.compile(history)
    assert history == before
    assert layer.trace is not None
    assert layer.trace.fits


@pytest.mark.parametrize("variant", ["repaired", "article"])
def test_context_layer_with_memory_keeps_notes_between_builds(variant: str) -> None:
    layer = ContextLayerWithMemory("You know rivers.", [], model="gpt-4o", variant=variant)
    layer.add_memory("Prefers metres.")
    layer.add_memory("Lives in Basel.")
    for question in ("How wide?", "How long?"):
        messages = layer.compile([user(question)])
        assert "[MEMORY NOTES]\n- Prefers metres.\n- Lives in Basel." in messages[0]["content"]
        assert messages[-1] == user(question)


def test_a_mutable_history_of_one_build_does_not_reach_the_next() -> None:
    layer = ContextLayer("You know rivers.", [], model="gpt-4o")
    first = layer.compile([user("How wide?")])
    first.append({"role": "assistant", "content": "spoiled"})
    first[0]["content"] = "spoiled"
    assert layer.compile([user("How wide?")]) == [{"role": "system", "content": "You know rivers."}, user("How wide?")]
