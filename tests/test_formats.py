"""Logs and requests of others: what each format's reader makes of them."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from ctxcore import Scenario, build
from ctxcore.errors import InputError
from ctxcore.importing import loads
from tests.build import SHARED

INPUTS = SHARED / "inputs"
needs_inputs = pytest.mark.skipif(not INPUTS.is_dir(), reason="the shared input files are not here")


def lines(*records: Any) -> str:
    return "\n".join(map(json.dumps, records))


def read(*records: Any, **options: Any) -> Scenario:
    """A file with one record a line."""
    return loads(lines(*records), name="session.jsonl", **options)


def roles(scenario: Scenario) -> str:
    return "".join(str(message["role"])[0] for message in scenario.messages)


# -- pi agent ------------------------------------------------------------------------------------


def pi(role: str, content: Any = None, **more: Any) -> dict[str, Any]:
    return {"type": "message", "timestamp": "t", "message": {"role": role, "content": content, **more}}


PI = [
    {"type": "session", "id": "s", "modelId": "claude-opus-4-5"},
    pi("user", [{"type": "text", "text": "Which valves are open?"}]),
    pi(
        "assistant",
        [
            {"type": "thinking", "thinking": "look", "thinkingSignature": "c2ln"},
            {"type": "text", "text": "I look."},
            {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "阀门 ls"}},
        ],
    ),
    pi("toolResult", [{"type": "text", "text": "V3"}], toolCallId="c1", toolName="bash", isError=True),
    pi("assistant", [], stopReason="aborted"),
    {"type": "compaction", "summary": "Valves were listed.", "firstKeptEntryIndex": 3},
    pi("bashExecution", command="ls", output="a", exitCode=2),
]


def test_a_pi_session_keeps_calls_results_and_thinking():
    scenario = read(*PI)
    asked, called, result, command = scenario.messages
    assert (scenario.format, scenario.settings) == ("pi-agent", {"model": "claude-opus-4-5"})
    assert asked["content"] == "Which valves are open?"
    assert called["content"] == "I look."
    assert called["tool_calls"][0]["function"] == {"name": "bash", "arguments": '{"command":"阀门 ls"}'}
    assert called["thinking_blocks"] == [{"type": "thinking", "thinking": "look", "signature": "c2ln"}]
    assert result == {"role": "tool", "tool_call_id": "c1", "content": "V3", "name": "bash", "is_error": True}
    assert command["content"] == "Ran `ls`\n```\na\n```\n\nCommand exited with code 2"
    assert scenario.warnings[-1].startswith("7 entries read, 4 messages kept, 3 skipped: 1 × ")


def test_what_a_pi_session_was_compacted_to_is_a_conversation_of_its_own():
    after = read(*PI, conversation=1)
    assert [message["content"] for message in after.messages][:2] == ["Valves were listed.", "V3"]
    assert "compacted 1 time(s)" in read(*PI).warnings[0]


def test_a_pi_session_with_parents_is_read_along_its_last_branch():
    tree = [{**one, "id": str(at), "parentId": str(at - 1)} for at, one in enumerate(PI[:4])]
    other = {**pi("user", "Forget it."), "id": "9", "parentId": "1"}
    assert roles(read(*tree, other)) == "uu"
    assert roles(read(*tree[:3], other, {**tree[3]})) == "uat"


def test_what_was_sent_as_the_users_and_not_asked_is_no_question():
    scenario = read(*PI)
    assert (scenario.unasked, scenario.asked) == (("turn-0004",), 0)
    trace = build(scenario, window=8_000)
    assert trace.final.query == "Which valves are open?"
    assert [m["role"] for m in trace.messages] == ["user", "assistant", "tool", "user"]  # it stays where it was
    again = Scenario.from_json(scenario.to_json())
    assert (again.unasked, again.asked) == (scenario.unasked, 0)
    assert scenario.with_query("And V7?").asked == 4
    line = {"type": "user", "message": {"role": "user", "content": "Why?"}, "uuid": "1", "sessionId": "s"}
    note = {**line, "uuid": "2", "parentUuid": "1", "isMeta": True, "message": {"role": "user", "content": "Caveat."}}
    assert (read(line, note).unasked, read(line, note).asked) == (("turn-0002",), 0)
    told = "<environment_context>cwd: /</environment_context>"
    items = [{"type": "message", "role": "user", "content": text} for text in ("Why?", told)]
    codex = read(*({"type": "response_item", "payload": item} for item in items))
    assert (codex.format, codex.unasked, codex.asked) == ("codex", ("turn-0002",), 0)


@needs_inputs
def test_the_real_pi_session_keeps_its_question_at_a_window_of_8000():
    """Its last entry is the output of a command, 30,833 tokens in the user's role."""
    scenario = Scenario.load(INPUTS / "pi-agent" / "before-compaction.jsonl")
    for system in ("gssc", "compiler", "layered"):
        trace = build(scenario, system=system, window=8_000)
        assert trace.fits
        assert trace.final.query == "ok"


@needs_inputs
def test_the_real_pi_session_can_be_played_as_growth():
    from ctxcore.replay import replay, until

    scenario = Scenario.load(INPUTS / "pi-agent" / "before-compaction.jsonl")
    first = list(replay(until(scenario, 200), at="question"))
    assert first[-1].index == 188  # the last question among them
    assert first[-1].total > 80_000
    assert any(turn.bit for turn in first)
    assert build(until(scenario, 200), window=8_000).fits


# -- zipped logs -------------------------------------------------------------------------------


def zipped(samples: dict[str, str], head: str = "header.json") -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in samples.items():
            archive.writestr(name, body)
        archive.writestr(head, json.dumps({"eval": {"model": "openai/gpt-4o"}}))
    return data.getvalue()


def sample(text: str) -> str:
    return json.dumps({"id": 1, "messages": [{"role": "user", "content": text}]})


@needs_inputs
def test_a_zipped_log_is_read_as_its_json_is():
    log = json.loads((INPUTS / "inspect-ai/browser.json").read_bytes())
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for at, one in enumerate(log.pop("samples")):
            archive.writestr(f"samples/{at}_epoch_1.json", json.dumps(one))
        archive.writestr("header.json", json.dumps(log))
    plain = loads((INPUTS / "inspect-ai/browser.json").read_bytes(), name="browser.json")
    assert loads(data.getvalue(), name="browser.eval").to_json() == plain.to_json()


def test_a_damaged_sample_of_a_zipped_log_costs_no_other():
    data = zipped({"samples/1_epoch_1.json": sample("Hello"), "samples/2_epoch_1.json": "{oops"}, "_journal/start.json")
    found = loads(data, name="run.eval")
    assert (found.format, found.settings["model"], len(found.messages)) == ("inspect", "gpt-4o", 1)
    assert any("samples/2_epoch_1.json: skipped" in line for line in found.warnings)
    assert any("2 samples read, 1 kept, 1 skipped" in line for line in found.warnings)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (lambda: zipped({"samples/1.json": " " * 200_000_001}), r"unpacks to 200,\d{3},\d{3} bytes .* 200,000,000"),
        (lambda: zipped({f"samples/{at}.json": "" for at in range(20_000)}), r"20,001 entries, more than .* 20,000"),
        (lambda: zipped({"samples/1.json": "{oops"}), r"no conversation.*samples/1.json: skipped"),
        (lambda: zipped({"samples/1.json": sample("Hello")})[:-30], r"may be damaged"),
        (lambda: zipped({"a.json": sample("Hello")}, "other.json"), r"is a zip archive"),
    ],
    ids=["bytes", "entries", "nothing", "cut off", "another archive"],
)
def test_a_zipped_log_that_cannot_be_read_says_why(data, says):
    with pytest.raises(InputError, match=says):
        loads(data(), name="run.eval")
