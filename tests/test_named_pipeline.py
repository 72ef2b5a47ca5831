"""A named pipeline: JSON there and back, applied to any scenario, the same on the command line; nonsense is named."""

from __future__ import annotations

import json

import pytest

from ctxcore import InputError, Settings, build
from ctxcore.cli.main import main
from ctxcore.pipeline import Pipeline
from ctxcore.settings import settings_for
from tests.build import scenario, system, talk, user

CHAT = scenario([system(), *talk(9, 9), user()])
MINE = Pipeline(
    "mine",
    stages=("gather", "summarize", "select", "guardrail", "construct"),
    options=(("select.on_misfit", "stop"), ("summarize.when", "tokens > 4000"), ("guardrail.enabled", "on")),
)


def test_json_there_and_back():
    assert Pipeline.from_json(json.loads(json.dumps(MINE.to_json()))) == MINE
    assert Pipeline.of("mine", MINE.applied(Settings())) == MINE


def test_it_is_the_same_on_the_command_line(tmp_path, capsys):
    file = tmp_path / "chat.json"
    file.write_text(json.dumps(list(CHAT.messages)))
    assert main(["run", str(file), "--window", "3000", "--json", *MINE.argv()]) == 0
    told = json.loads(capsys.readouterr().out)
    trace = build(CHAT, MINE.applied(settings_for(CHAT, {"window": 3_000})))
    assert [stage["name"] for stage in told["stages"]] == list(MINE.stages)
    assert told["messages"] == trace.messages


def test_limits_stay_where_the_system_does():
    settings = Settings(limits=(("docs", "25%"),), window=5_000)
    assert MINE.applied(settings).limits == settings.limits
    other = Pipeline("x", system="compiler").applied(settings)
    assert (other.limits, other.window) == ((), 5_000)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"schema": "x"}, "schema"),
        ({"system": "none"}, "none"),
        ({"variant": "none"}, "none"),
        ({"stages": ["nope"]}, "nope"),
        ({"stages": ["gather", "gather"]}, "twice"),
        ({"stages": "gather"}, "list"),
        ({"options": {"select.nope": "1"}}, "nope"),
        ({"options": {"select.on_misfit": "maybe"}}, "choose"),
        ({"options": {"select.when": "perhaps"}}, "Condition"),
    ],
)
def test_what_makes_no_sense_is_named(changes, named):
    with pytest.raises(InputError, match=named):
        Pipeline.from_json({**MINE.to_json(), **changes})


def test_what_is_no_object_is_no_pipeline():
    with pytest.raises(InputError, match="no pipeline"):
        Pipeline.from_json([1])
