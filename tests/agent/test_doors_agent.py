"""Article 3's names as doors: ContextManager and run_agent."""

from __future__ import annotations

import pytest

from ctxcore import InputError
from ctxcore.agent.step import Step
from ctxcore.doors.layered import ContextManager, run_agent
from ctxcore.fakes import ScriptedModel
from ctxcore.item import Call
from ctxcore.model.replies import Reply
from tests.build import rules, words


def test_c2_the_context_manager_keeps_a_board_and_builds_messages() -> None:
    manager = ContextManager("Work in steps.", max_tokens=8_000)
    manager.update_task_board(goal="Measure the Rhine", todo=["look", "sum"], current="look")
    manager.update_task_board(done=["a"])
    manager.update_task_board(done=["b"], todo=["sum"])
    manager.add_working("user", "Begin.")
    messages = manager.build()
    assert messages[0] == {"role": "system", "content": "Work in steps."}
    assert messages[-1] == {"role": "user", "content": "Begin."}
    board = str(messages[-2]["content"])
    assert all(word in board for word in ("goal: Measure the Rhine", "current: look", "todo: sum", "done: a; b"))
    assert manager.trace
    assert manager.trace.budget.window == 8_000


def test_c11_what_is_added_can_be_compressed_for_the_current_sub_task() -> None:
    manager = ContextManager("Work in steps.")
    manager.update_task_board(current="how long the Elbe is")
    manager.add_working("user", words(40) + " The Elbe is 1,094 kilometres long. " + words(40, "lake"), compress=True)
    (added,) = manager.working
    assert "1,094 kilometres" in added["content"]
    assert len(added["content"]) < 700


def test_c10_what_may_be_recalled_is_let_in_for_the_sub_task_alone() -> None:
    manager = ContextManager("Work in steps.")
    manager.recall += ["The Elbe ends at Cuxhaven.", "Bread is baked at night."]
    manager.update_task_board(current="where the Elbe ends")
    manager.add_working("user", "Where does it end?")
    said = str(manager.build())
    assert "Cuxhaven" in said
    assert "Bread" not in said


def test_the_context_manager_as_the_article_wrote_it() -> None:
    manager = ContextManager("Work in steps.", variant="article")
    for at in range(8):
        manager.add_working("user" if at % 2 == 0 else "assistant", words(40, f"brook{at}"))
    manager.build()
    assert manager.trace
    assert "rounds-summarized" in rules(manager.trace, "trim-working")


def test_c11_run_agent_answers_or_says_why_not() -> None:
    steps: list[Step] = []
    reckoning = Reply("Thought: add", (Call("", "calculator", '{"expression": "2 + 2"}'),))
    assert run_agent("What is 2 + 2?", model=ScriptedModel([reckoning, "Final Answer: 4"]), steps=steps) == "4"
    assert [step.fingerprint for step in steps] == ["calculator:2 + 2", ""]
    with pytest.raises(InputError, match="max-steps"):
        run_agent("What is 2 + 2?", 1, model=ScriptedModel([reckoning]))


def test_run_agent_without_a_model_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InputError, match="OPENAI_BASE_URL"):
        run_agent("What is 2 + 2?")
