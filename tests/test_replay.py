"""Any conversation played turn by turn (b17), in Python and from the command line."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from ctxcore import InputError, Scenario, Settings
from ctxcore.cli.main import main
from ctxcore.findings import findings_of_replay
from ctxcore.replay import Turn, moments, replay, until
from tests import laws
from tests.build import SHARED, calls, result, scenario, system, talk, user, words


def played(talked: Scenario, at: str = "reply", **settings: Any) -> list[Turn]:
    return list(replay(talked, Settings(**settings), at=at))


def chat(turns: int, sentences: int = 6) -> Scenario:
    return scenario([system(), *talk(turns, sentences), user()])


def test_b17_a_turn_is_each_time_that_the_model_was_asked() -> None:
    messages = [system(), user("a"), calls("c1"), result("c1"), {"role": "assistant", "content": "b"}, user("c")]
    assert moments(scenario(messages)) == (2, 4, 6)
    assert moments(scenario(messages), "question") == (2, 6)
    assert moments(scenario([system(), {"role": "assistant", "content": "Hello"}, user("a")])) == (3,)
    assert moments(scenario([])) == ()
    with pytest.raises(InputError, match="reply, question"):
        moments(scenario(messages), "answer")


def test_b17_each_turn_is_the_build_as_it_would_have_been() -> None:
    turns = played(chat(4), system="gssc", window=8_000)
    assert [turn.index for turn in turns] == [2, 4, 6, 8, 10]
    assert turns[0].growth == turns[0].total
    assert [turn.growth for turn in turns[1:]] == [b.total - a.total for a, b in pairwise(turns)]
    assert [len(turn.trace.messages) for turn in turns] == [2, 4, 6, 8, 10]
    assert not any(turn.bit for turn in turns)
    assert turns[-1].question == "How wide is the river?"


def test_b17_ids_stay_and_the_state_of_the_end_is_not_known_before_it() -> None:
    whole = scenario(chat(3).messages, state={"value": {"done": ["everything"]}})
    before = until(whole, 4)
    assert (before.ids, before.state) == (whole.ids[:4], None)
    assert until(whole, 99) is whole
    turns = played(whole, system="gssc")
    assert [turn.trace.scenario.state is None for turn in turns] == [True, True, True, False]


def test_b17_when_each_limit_bites_and_when_compaction_fires() -> None:
    turns = played(chat(30), system="compiler", window=4_000)
    quiet = [turn.number for turn in turns if not turn.bit]
    fired = [turn.number for turn in turns if turn.compacted]
    assert quiet == list(range(1, len(quiet) + 1))
    assert fired == list(range(len(quiet) + 1, 32))
    assert turns[-1].compacted == ("summarized",)
    assert turns[-1].unmanaged > turns[-1].total
    for turn in turns[::5]:
        laws.check(turn.trace.to_json(), valid_input=True)


def test_b17_compaction_on_every_turn_is_found() -> None:
    found = {one.rule: one for one in findings_of_replay(played(chat(30), system="compiler", window=4_000))}
    loop = found["find-compaction-loop"]
    assert (loop.severity, loop.facts["turns"], loop.facts["row"]) == (
        "warning",
        loop.facts["row"],
        31 - loop.facts["first"] + 1,
    )
    assert found["find-first-loss"].step == loop.step
    assert "find-short-test" not in found
    assert "find-compaction-loop" not in {
        one.rule for one in findings_of_replay(played(chat(30), system="compiler", window=32_000))
    }


@pytest.mark.parametrize(("name", "count"), [("gssc", 60), ("compiler", 200), ("layered", 60)])
def test_b17_two_hundred_turns_never_leave_the_room(name: str, count: int) -> None:
    turns = played(chat(count, 1), system=name, window=1_500)
    assert len(turns) == count + 1
    assert all(turn.trace.fits for turn in turns)
    assert turns[-1].bit


def test_without_management_the_first_turn_that_does_not_fit_is_named() -> None:
    (over,) = (
        one for one in findings_of_replay(played(chat(30), system="raw", window=2_000)) if one.rule == "find-over-room"
    )
    assert over.step
    assert over.facts["room"] == 1_750


def test_b17_the_command_line_prints_a_line_a_turn(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps({"messages": chat(5).messages}), encoding="utf-8")
    assert main(["replay", str(file), "--system", "compiler", "--window", "1000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("compiler (repaired) · window 1,000")
    assert [line.split()[0] for line in lines[2:8]] == ["1", "2", "3", "4", "5", "6"]
    assert "summarized" in lines[7]
    assert main(["replay", str(file), "--at", "question", "--json", "--lang", "zh"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [turn["index"] for turn in data["turns"]] == [2, 4, 6, 8, 10, 12]
    assert {one["rule"] for one in data["findings"]} == {"find-short-test"}
    assert main(["replay", str(file), "--query", "And now?", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["turns"][-1]["question"] == "And now?"


def test_a_file_without_a_conversation_is_an_error(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "note.txt"
    file.write_text("Only a text.", encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    assert "no conversation" in capsys.readouterr().err


@pytest.mark.skipif(not (SHARED / "inputs").is_dir(), reason="the collection of recorded conversations is not here")
@pytest.mark.parametrize(
    "name", ["function_calling_simple", "marshmallow-1867-default", "marshmallow-1867-function_calling"]
)
def test_b17_recorded_runs_of_a_coding_agent(name: str) -> None:
    recorded = Scenario.load(SHARED / "inputs" / "swe-agent" / f"{name}.traj")
    turns = played(recorded, system="layered", window=8_000)
    assert len(turns) > 2
    assert all(turn.trace.fits for turn in turns)


def test_words_for_a_turn_are_short() -> None:
    from ctxcore.replay import first_words

    (turn,) = played(scenario([user(words(20))]), system="gssc")
    assert len(first_words(turn)) == 60
