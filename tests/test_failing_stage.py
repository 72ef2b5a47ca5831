"""A stage that raises: what came before it stays, the error is a problem with its place, later stages are not run."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from ctxcore import SYSTEMS, StageError, build
from ctxcore.cli.main import main
from ctxcore.errors import LedgerError
from ctxcore.stages import STAGES
from tests.build import rules, scenario, stage, user

CHAT = scenario([user("One."), user("Two?")])


@dataclass(frozen=True)
class Breaking:
    """Raises, as anybody's stage may."""

    name: ClassVar[str] = "breaking"
    how: str = "raise"

    def apply(self, payload, services):
        if self.how == "hide":  # a change without a decision
            return replace(payload, items=payload.items[1:])
        return payload.items[0].nothing


@pytest.fixture(autouse=True)
def breaking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STAGES, "breaking", Breaking)


def failed(**settings) -> StageError:
    order = ("gather", "select", "breaking", "summarize", "construct")
    with pytest.raises(StageError) as caught:
        build(CHAT, stages=order, **settings)
    return caught.value


def test_what_ran_before_it_stays_and_later_stages_are_not_run():
    error = failed()
    trace = error.trace
    assert [snapshot.skipped for snapshot in trace.snapshots] == ["", "", "stage-raised", "not-run", "not-run"]
    assert trace.failed == "breaking"
    whole = build(CHAT)
    assert rules(trace, "select") == rules(whole, "select")
    assert stage(trace, "construct").items is stage(trace, "select").items
    assert set(rules(trace, "construct")) == {"not-run"}
    assert "The 2 snapshots before it are intact." in str(error)


def test_the_problem_names_file_and_line():
    error = failed()
    (problem,) = error.trace.problems_of(stage(error.trace, "breaking"))
    line = Breaking.apply.__code__.co_firstlineno + 3
    assert problem.rule == "stage-failed"
    assert problem.facts["place"] == error.place == f"test_failing_stage.py line {line}"
    assert problem.facts["error"].startswith("AttributeError: ")
    assert error.trace.problems_of(error.trace.snapshots[-1]) == ()


def test_a_hidden_change_is_the_stages_failure_too():
    error = failed(options={"breaking.how": "hide"})
    assert isinstance(error.__cause__, LedgerError)
    assert str(error).startswith("Stage 'breaking' changed item ")


def test_a_stage_that_is_switched_off_cannot_fail():
    trace = build(CHAT, stages=("gather", "breaking", "construct"), options={"breaking.when": "never"})
    assert set(rules(trace, "breaking")) == {"stage-off"}
    assert trace.messages == build(CHAT, stages=("gather", "construct")).messages


def test_the_command_line_prints_what_there_is_and_fails(tmp_path, capsys):
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([user("One."), user("Two?")]))
    assert main(["run", str(file), "--stages", "gather,breaking,construct", "--json"]) == 2
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert [one["skipped"] for one in told["stages"]] == ["", "stage-raised", "not-run"]
    assert told["stages"][1]["problems"][0]["rule"] == "stage-failed"
    assert err.startswith("ctxcore: Stage 'breaking': AttributeError")
    assert err.count("\n") == 1


def test_every_stage_can_be_switched_off():
    for name, system in SYSTEMS.items():
        for one in system.repaired:
            trace = build(CHAT, system=name, options={f"{one.name}.when": "never"})
            assert stage(trace, one.name).skipped == "stage-off"
