"""Segments: a plan as a graph, a context for each sub-task, a structured hand-over (c12)."""

from __future__ import annotations

import json

import pytest

from ctxcore import InputError, Settings
from ctxcore.agent.plan import Plan, SubTask, in_order, plan_of
from ctxcore.agent.segments import handed_over, opening_of, run_plan
from ctxcore.agent.tools import calculator
from ctxcore.fakes import ScriptedModel
from tests import laws

PLAN = Plan(
    "Compare the rivers",
    (
        SubTask("ranking", "Rank them", ("rhine", "elbe")),
        SubTask("rhine", "Measure the Rhine"),
        SubTask("elbe", "Measure the Elbe"),
    ),
)
LAYERED = Settings(system="layered", window=8_000)


def test_c12_sub_tasks_come_after_what_they_need() -> None:
    assert [one.name for one in in_order(PLAN)] == ["rhine", "elbe", "ranking"]


def test_c12_each_sub_task_has_its_own_context_and_hands_on_data() -> None:
    model = ScriptedModel(
        ['Final Answer: {"metres": 400}', "Final Answer: name: Elbe\nmetres: 300", "Final Answer: Rhine first"]
    )
    segments = list(run_plan(PLAN, model, (calculator(),), settings=LAYERED))
    assert [(one.sub_task.name, dict(one.result)) for one in segments] == [
        ("rhine", {"metres": 400}),
        ("elbe", {"name": "Elbe", "metres": "300"}),
        ("ranking", {"answer": "Rhine first"}),
    ]
    second, third = segments[1].steps[0].trace, segments[2].steps[0].trace
    assert "400" not in json.dumps(second.messages)
    assert '"metres": 400' in str([message["content"] for message in third.messages])
    assert segments[2].steps[0].board.done[:2] == ("rhine", "elbe")
    laws.check(third.to_json(), valid_input=True)


def test_c12_the_board_shows_what_needs_what() -> None:
    state = opening_of(PLAN, PLAN.sub_tasks[1], {}).state
    assert state
    assert json.loads(state.text)["todo"] == ["elbe", "ranking (needs rhine, elbe)"]


def test_c12_a_segment_without_an_answer_ends_the_plan() -> None:
    segments = list(run_plan(PLAN, ScriptedModel([]), (), settings=LAYERED))
    assert [(one.sub_task.name, one.finished, one.steps[-1].ended) for one in segments] == [
        ("rhine", False, "model-error")
    ]


@pytest.mark.parametrize(
    ("needs", "says"),
    [
        ({"a": ["b"], "b": ["c"], "c": ["b"]}, "b → c → b"),
        ({"a": ["a"]}, "a → a"),
        ({"a": ["x"]}, "needs 'x', which is not in the plan"),
    ],
)
def test_c12_a_plan_that_cannot_be_ordered_is_an_error(needs: dict[str, list[str]], says: str) -> None:
    with pytest.raises(InputError, match=says):
        plan_of(
            {
                "goal": "g",
                "sub_tasks": [{"name": name, "task": name, "needs": needed} for name, needed in needs.items()],
            }
        )


def test_c12_a_plan_from_json() -> None:
    plan = plan_of({"goal": "g", "sub_tasks": [{"name": "a"}, {"name": "b", "task": "do b", "needs": ["a"]}]})
    assert plan.sub_tasks == (SubTask("a", "a"), SubTask("b", "do b", ("a",)))
    for bad in (
        {},
        {"sub_tasks": "a"},
        {"sub_tasks": [{"task": "nameless"}]},
        {"sub_tasks": [{"name": "a"}, {"name": "a"}]},
    ):
        with pytest.raises(InputError):
            plan_of(bad)


def test_an_answer_that_is_no_data_is_handed_on_as_text() -> None:
    assert handed_over("[1, 2]") == {"answer": "[1, 2]"}
    assert handed_over("One line: with a colon") == {"answer": "One line: with a colon"}
