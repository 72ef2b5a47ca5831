"""The command line from outside: exit status, one line of error, the keys of its JSON, and never a traceback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ctxcore
from ctxcore.cli.main import main
from tests import laws
from tests.build import WEATHER, assistant, calls, document, image, record, result, system, talk, user, words

PACKAGE = Path(ctxcore.__path__[0])
SUPPORT = str(PACKAGE / "scenarios" / "support-chat.json")
CHAT = {"model": "gpt-4o", "messages": [system(), *talk(6), user("And the width?")], "tools": [WEATHER]}
COMMANDS = ("run", "why", "diff", "count", "lint", "check")
TRACE_KEYS = {
    "schema",
    "system",
    "variant",
    "model",
    "tokenizer",
    "budget",
    "input",
    "stages",
    "messages",
    "tools",
    "map",
    "spans",
    "tokens",
    "fits",
    "floor",
}
STAGE_KEYS = {"name", "seconds", "tokens_before", "tokens_after", "items", "decisions", "problems"}
ITEM_KEYS = {"id", "source", "role", "tokens", "text", "pinned", "priority", "relevance", "parents", "group"}
DECISION_KEYS = {"action", "item", "rule", "facts", "reason", "before", "after", "sources"}


class Ran:
    """One call: `code`, `out`, `err`."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*argv: str) -> Ran:
        code = main([str(word) for word in argv])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        assert err.count("\n") <= 1, err
        assert code not in (2, 3) or err.startswith("ctxcore: ")
        return Ran(code, out, err)

    return call


@pytest.fixture
def chat(tmp_path: Path) -> str:
    return written(tmp_path / "chat.json", CHAT)


def written(path: Path, value: Any) -> str:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


def argv_of(command: str, file: str) -> list[str]:
    return [command, file, *(["width"] if command == "why" else [])]


# -- what each command gives -------------------------------------------------------------------


def test_run_prints_a_trace_that_keeps_the_laws(cli: Any, chat: str) -> None:
    ran = cli("run", chat, "--json", "--window", "900")
    trace = ran.json
    assert ran.code == 0
    assert ran.err == ""
    assert trace["schema"] == "ctxcore.trace/1"
    assert trace.keys() >= TRACE_KEYS
    for stage in trace["stages"]:
        assert stage.keys() >= STAGE_KEYS
        assert all(item.keys() >= ITEM_KEYS for item in stage["items"])
        assert all(decision.keys() >= DECISION_KEYS for decision in stage["decisions"])
    assert trace["input"].keys() >= {"format", "items", "tokens", "warnings"}
    assert trace["input"]["format"] == "openai-chat"
    laws.check(trace, valid_input=True)


@pytest.mark.parametrize("name", ["gssc", "compiler", "layered", "raw"])
def test_count_says_the_same_as_run(cli: Any, tmp_path: Path, name: str) -> None:
    messages = [
        system(),
        image("Look.", detail="high"),
        calls("c1", "c2"),
        result("c1"),
        result("c2"),
        *talk(2),
        user(),
    ]
    file = written(tmp_path / "in.json", {"model": "gpt-4o", "messages": messages, "tools": [WEATHER]})
    trace = cli("run", file, "--system", name, "--json").json
    again = written(
        tmp_path / "out.json", {"model": trace["model"], "messages": trace["messages"], "tools": trace["tools"]}
    )
    bill = cli("count", again, "--json").json
    assert bill.keys() >= {"model", "tokenizer", "rows", "total"}
    assert bill["total"] == trace["tokens"]["total"] == sum(row["tokens"] for row in bill["rows"])
    assert all(row.keys() == {"what", "message", "tokens", "exactness", "rule"} for row in bill["rows"])


def test_why_tells_the_story_and_its_remedies_are_true(cli: Any, chat: str) -> None:
    ran = cli("why", chat, "brook0 number 1", "--window", "500", "--json")
    assert ran.code == 0
    told = ran.json
    assert told.keys() == {"text", "found", "fate", "stages", "stories", "remedies", "losses"}
    assert (told["found"], told["fate"]) == (True, "lost")
    (story,) = told["stories"]
    assert story.keys() == {"item", "events", "end", "message", "inside", "pieces"}
    assert story["events"][0]["stage"] == "gather"
    assert all(event.keys() == {"stage", "action", "rule", "reason", "before", "after"} for event in story["events"])
    assert told["remedies"]
    for remedy in told["remedies"]:
        assert remedy.keys() == {"argv", "says", "rule", "pushes_out", "brings_in", "tokens", "smallest"}
        kept = cli("why", chat, "brook0 number 1", "--window", "500", "--json", *remedy["argv"])
        assert kept.json["fate"] == "kept"


def test_diff_of_two_stages_and_of_two_traces(cli: Any, chat: str, tmp_path: Path) -> None:
    between = cli("diff", chat, "--from", "gather", "--to", "select", "--window", "500", "--json").json
    assert between.keys() == {"added", "removed", "changed", "moved", "tokens_before", "tokens_after"}
    assert between["removed"]
    wide = written(tmp_path / "a.json", cli("run", chat, "--json").out)
    tight = written(tmp_path / "b.json", cli("run", chat, "--json", "--window", "500").out)
    across = cli("diff", wide, tight, "--json").json
    assert set(across["removed"]) == set(between["removed"])
    assert cli("diff", wide, wide, "--json").json["removed"] == []


def test_lint_says_what_a_provider_refuses_and_exits_0(cli: Any, tmp_path: Path) -> None:
    file = written(tmp_path / "bad.json", {"model": "gpt-4o", "messages": [user(), result("nobody")]})
    ran = cli("lint", file, "--json")
    assert ran.code == 0
    (problem,) = [one for one in ran.json["problems"] if one["severity"] == "error"]
    assert problem.keys() >= {"rule", "severity", "provider", "message", "where"}
    assert problem["rule"] == "result-without-call"


def test_check_fails_with_1(cli: Any, chat: str, tmp_path: Path) -> None:
    assert cli("check", chat, "--must-keep", "width").code == 0
    lost = cli("check", chat, "--window", "500", "--json", "--must-keep", "brook0 number 1", "width")
    assert lost.code == 1
    assert lost.json["lost"] == ["brook0 number 1"]
    over = cli("check", chat, "--system", "raw", "--window", "300")
    assert over.code == 1
    bad = written(tmp_path / "bad.json", {"model": "gpt-4o", "messages": [user(), calls("c1"), user()]})
    assert cli("check", bad, "--system", "raw").code == 1


def test_check_takes_the_scenario_s_own_must_keep(cli: Any, tmp_path: Path) -> None:
    given = {"schema": "ctxcore.scenario/1", "messages": CHAT["messages"], "must_keep": ["brook0 number 1"]}
    file = written(tmp_path / "s.json", given)
    assert cli("check", file).code == 0
    assert cli("check", file, "--window", "500").code == 1


def test_systems_and_stages_say_what_can_be_run(cli: Any) -> None:
    systems = {one["name"]: one for one in cli("systems", "--json").json["systems"]}
    assert {"gssc", "compiler", "layered", "raw"} <= systems.keys()
    assert systems["gssc"]["stages"] == ["gather", "select", "summarize", "construct"]
    names = [one["name"] for one in systems["compiler"]["limits"]]
    assert names == ["system", "history", "retrieval", "tools"]
    stages = {one["name"]: one for one in cli("stages", "--json").json["stages"]}
    overflow = next(o for o in stages["conversation-compactor"]["options"] if o["name"] == "overflow")
    assert overflow["choices"] == ["summarize", "truncate", "prioritize"]
    assert overflow["default"] == "summarize"


@pytest.mark.parametrize("command", COMMANDS)
def test_text_for_people_is_not_json_and_not_empty(cli: Any, chat: str, command: str) -> None:
    ran = cli(*argv_of(command, chat))
    assert ran.code == 0
    assert ran.out.strip()
    assert not ran.out.startswith("{")


def test_the_language_changes_sentences_and_nothing_else(cli: Any, chat: str) -> None:
    english, chinese = (cli("run", chat, "--window", "500", "--json", "--lang", lang).json for lang in ("en", "zh"))
    dropped = [[d for d in trace["stages"][1]["decisions"] if d["action"] == "dropped"] for trace in (english, chinese)]
    assert dropped[0][0]["reason"] != dropped[1][0]["reason"]
    assert any("\u4e00" <= char <= "\u9fff" for char in dropped[1][0]["reason"])
    assert [d["rule"] for d in dropped[0]] == [d["rule"] for d in dropped[1]]
    assert english["messages"] == chinese["messages"]


def test_standard_input(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in COMMANDS:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(CHAT).encode())))
        assert cli(*argv_of(command, "-"), "--json").code == 0


# -- what the options mean ---------------------------------------------------------------------


def test_every_option_of_run(cli: Any, chat: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    written(tmp_path / "docs" / "one.md", "The width of the river is 400 metres.")
    trace = cli(
        "run",
        chat,
        "--json",
        "--system",
        "compiler",
        "--variant",
        "repaired",
        "--model",
        "gpt-4",
        "--window",
        "8_000",
        "--reserve",
        "500",
        "--limit",
        "history=10%",
        "--limit",
        "retrieval=300",
        "--set",
        "conversation-compactor.overflow=truncate",
        "--set",
        "retrieval-injector.top_k=1",
        "--query",
        "What is the width?",
        "--docs",
        tmp_path / "docs",
        "--pin",
        "brook0 number 1",
    ).json
    assert (trace["system"], trace["model"], trace["tokenizer"]["name"]) == ("compiler", "gpt-4", "cl100k_base")
    assert (trace["budget"]["window"], trace["budget"]["reserve"], trace["budget"]["room"]) == (8_000, 500, 7_500)
    limits = {limit["name"]: limit for limit in trace["budget"]["limits"]}
    assert (limits["history"]["cap"], limits["history"]["share"], limits["history"]["typed"]) == (800, 0.1, "10%")
    assert (limits["retrieval"]["cap"], limits["retrieval"]["share"], limits["retrieval"]["typed"]) == (
        300,
        None,
        "300",
    )
    assert trace["messages"][-1] == user("What is the width?")
    assert "400 metres" in trace["messages"][0]["content"]
    assert any(item["pinned"] and "brook0" in item["text"] for item in trace["stages"][-1]["items"])


def test_stages_in_another_order(cli: Any, chat: str) -> None:
    trace = cli("run", chat, "--json", "--stages", "gather,summarize,select,construct").json
    assert [stage["name"] for stage in trace["stages"]] == ["gather", "summarize", "select", "construct"]


def test_a_stage_that_is_off_stays_on_the_rail(cli: Any, chat: str) -> None:
    trace = cli("run", chat, "--json", "--system", "compiler").json
    assert [stage["name"] for stage in trace["stages"] if stage["skipped"]] == [
        "tool-result-compactor",
        "user-profile-injector",
        "guardrail",
    ]
    on = cli("run", chat, "--json", "--system", "compiler", "--set", "guardrail.enabled=true").json
    assert "guardrail" not in [stage["name"] for stage in on["stages"] if stage["skipped"]]


def test_shares_over_the_window_are_warned_of_and_not_rescaled(cli: Any, chat: str) -> None:
    trace = cli("run", chat, "--json", "--limit", "docs=80%", "--limit", "tools=45%").json
    (problem,) = [p for p in trace["stages"][0]["problems"] if p["rule"] == "shares-over-window"]
    assert (problem["severity"], problem["facts"]["surplus"]) == ("warning", 25)
    assert next(x for x in trace["budget"]["limits"] if x["name"] == "docs")["cap"] == int(
        0.8 * trace["budget"]["window"]
    )


# -- exit status 2: the input or the call is wrong ---------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "content", ["", "   \n", "{broken", "[1, 2", '{"messages": []}', "[]", "null", '{"messages": "no"}', '[{"x": 1}]']
)
def test_input_that_cannot_be_read(cli: Any, tmp_path: Path, command: str, content: str) -> None:
    ran = cli(*argv_of(command, written(tmp_path / "bad.json", content)), "--json")
    assert ran.code == 2
    assert ran.out == ""
    assert "bad.json" in ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_not_there(cli: Any, command: str) -> None:
    ran = cli(*argv_of(command, "/nowhere/at/all.json"))
    assert ran.code == 2
    assert "/nowhere/at/all.json" in ran.err


BAD_CALLS = {
    "unknown system": (["--system", "nothing"], "nothing"),
    "unknown variant": (["--variant", "nothing"], "nothing"),
    "unknown stage": (["--stages", "gather,nothing"], "nothing"),
    "no stage at all": (["--stages", ","], "--stages"),
    "unknown limit": (["--limit", "nothing=5"], "nothing"),
    "a limit of another system": (["--limit", "retrieval=5"], "retrieval"),
    "a limit without a value": (["--limit", "docs"], "docs"),
    "a limit that is no number": (["--limit", "docs=much"], "docs=much"),
    "a negative limit": (["--limit", "docs=-5"], "docs=-5"),
    "a negative share": (["--limit", "docs=-5%"], "docs=-5%"),
    "a share that is no number": (["--limit", "docs=nan%"], "nan"),
    "unknown option": (["--set", "select.nothing=1"], "nothing"),
    "an option of a stage that does not run": (["--set", "recall.mode=never"], "recall"),
    "an option without a stage": (["--set", "enabled=true"], "enabled"),
    "an option without a value": (["--set", "select.on_misfit"], "select.on_misfit"),
    "an option of the wrong type": (["--set", "select.long_item=many"], "many"),
    "a choice that is none": (["--set", "select.on_misfit=jump"], "jump"),
    "a condition that cannot be read": (["--set", "select.when=often"], "often"),
    "a negative window": (["--window", "-5"], "window"),
    "a window that is no number": (["--window", "wide"], "wide"),
    "a negative reserve": (["--reserve", "-1"], "reserve"),
    "a folder that is none": (["--docs", "/nowhere"], "/nowhere"),
    "an unknown language": (["--lang", "fr"], "fr"),
    "an unknown option of the command": (["--nothing"], "--nothing"),
    "a conversation that is not there": (["--conversation", "7"], "7"),
    "a template that names nothing": (["--set", "construct.tool_label={nothing}"], "nothing"),
}


@pytest.mark.parametrize(("argv", "named"), BAD_CALLS.values(), ids=BAD_CALLS)
def test_a_call_that_is_wrong(cli: Any, tmp_path: Path, argv: list[str], named: str) -> None:
    given = {
        "schema": "ctxcore.scenario/1",
        "messages": CHAT["messages"],
        "tool_results": [{"id": "t", "tool": "sql", "text": "38%"}],
    }
    ran = cli("run", written(tmp_path / "chat.json", given), *argv)
    assert ran.code == 2, ran.err
    assert named.lower() in ran.err.lower()
    assert ran.out == ""


@pytest.mark.parametrize(
    ("argv", "named"),
    [
        ([], "COMMAND"),
        (["nothing"], "nothing"),
        (["run"], "FILE"),
        (["why", SUPPORT], "TEXT"),
        (["why", SUPPORT, "  "], "TEXT"),
        (["diff", SUPPORT, "--from", "nothing"], "nothing"),
        (["diff", SUPPORT, "--to", "nothing"], "nothing"),
        (["diff", SUPPORT, SUPPORT], "support-chat"),
        (["check", SUPPORT, "--must-keep"], "--must-keep"),
        (["lint", SUPPORT, "--provider", "nobody"], "nobody"),
        (["run", SUPPORT, "--reserve", "x"], "x"),
    ],
)
def test_other_calls_that_are_wrong(cli: Any, argv: list[str], named: str) -> None:
    ran = cli(*argv)
    assert ran.code == 2
    assert named in ran.err


# -- exit status 3: the fixed parts alone do not fit -------------------------------------------


def test_the_floor_is_named_with_the_smallest_window_that_works(cli: Any, tmp_path: Path) -> None:
    file = written(
        tmp_path / "chat.json",
        {"model": "gpt-4o", "messages": [system(words(80)), user(words(20))], "tools": [WEATHER]},
    )
    ran = cli("run", file, "--json", "--window", "900", "--reserve", "100")
    assert ran.code == 3
    trace = ran.json
    laws.check(trace, valid_input=True)
    assert trace["floor"] > trace["budget"]["room"] == 800
    need = trace["floor"] + 100
    for number in (trace["floor"], 800, need):
        assert f"{number:,}" in ran.err
    assert cli("run", file, "--window", need, "--reserve", "100").code == 0
    assert cli("run", file, "--window", need - 1, "--reserve", "100").code == 3
    assert "字" not in ran.err
    assert cli("run", file, "--window", "900", "--lang", "zh").code == 3


def test_a_reserve_that_takes_the_window(cli: Any, chat: str) -> None:
    ran = cli("run", chat, "--json", "--window", "500", "--reserve", "500")
    assert ran.code == 3
    assert ran.json["budget"]["room"] == 0
    assert cli("run", chat, "--window", "500", "--reserve", "9000").code == 3  # said to people, too
    assert cli("run", chat, "--window", "0").code == 3


@pytest.mark.parametrize("argv", [["--system", "raw"], ["--variant", "article"]])
def test_what_may_overflow_exits_0_and_says_so(cli: Any, chat: str, argv: list[str]) -> None:
    ran = cli("run", chat, "--json", "--window", "200", *argv)
    assert ran.code == 0
    assert ran.json["fits"] is False
    assert "over-budget" in [problem["rule"] for problem in ran.json["stages"][-1]["problems"]]


def test_why_and_diff_exit_0_where_the_floor_does_not_fit(cli: Any, tmp_path: Path) -> None:
    file = written(tmp_path / "chat.json", {"model": "gpt-4o", "messages": [system(words(80)), user("width?")]})
    assert cli("why", file, "width", "--window", "100", "--json").code == 0
    assert cli("diff", file, "--window", "100", "--json").code == 0


# -- as a program ------------------------------------------------------------------------------


def program(*argv: str, text: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ctxcore", *argv],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        cwd=PACKAGE.parent,
        env={**os.environ, **env},
    )


def test_as_a_program_with_odd_text_in_a_plain_locale() -> None:
    messages = [user("半个 \ud83d 表情 \x1b[31m<|endoftext|>"), assistant("湖"), user("好")]
    ran = program("run", "-", text=json.dumps({"messages": messages}), LC_ALL="C", PYTHONUTF8="0")
    assert ran.returncode == 0
    assert ran.stderr == ""
    assert "湖" in ran.stdout
    assert "\x1b" not in ran.stdout


def test_as_a_program_an_error_is_one_line_on_standard_error() -> None:
    ran = program("run", "-", text="  ")
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1


def test_a_record_in_the_scenario_counts_as_raw_writes_it(cli: Any, tmp_path: Path) -> None:
    given = {
        "schema": "ctxcore.scenario/1",
        "messages": [system(), user()],
        "documents": [document("doc-01", "A lake.")],
        "notes": [record("note-01", "A note.")],
    }
    file = written(tmp_path / "s.json", given)
    assert (
        cli("count", file, "--json").json["total"]
        == cli("run", file, "--system", "raw", "--json").json["tokens"]["total"]
    )
