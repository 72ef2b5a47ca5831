"""Payloads in other shapes: what a shape can hold comes back equal, what it cannot is named, and none is refused."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore import Scenario, build
from ctxcore.cli.main import main
from ctxcore.exporting.targets import LINTED_AS, PROVIDERS, export, export_trace
from ctxcore.importing import loads
from ctxcore.linting.lint import lint_request
from tests.build import PIXEL, WEATHER, assistant, calls, document, image, result, scenario, system, talk, user, words

texts = st.text(min_size=1, max_size=30).filter(lambda text: text == text.strip())
pictures = st.just({"type": "image_url", "image_url": {"url": PIXEL}})
pieces = st.lists(st.builds(lambda text: {"type": "text", "text": text}, texts) | pictures, min_size=2, max_size=3)
arguments = st.dictionaries(st.sampled_from(["place", "天"]), texts | st.integers() | st.booleans(), max_size=2)
users = st.builds(lambda said: [user(said)], texts | pieces)
answers = st.builds(lambda said: [assistant(said)], texts)


@st.composite
def exchanges(draw: Any) -> list[dict[str, Any]]:
    """An answer with one or two calls, and their results; ids are those of the whole conversation."""
    count = draw(st.integers(1, 2))
    keys = [f"c{draw(st.integers(0, 10**9))}-{at}" for at in range(count)]
    made = calls(*keys, text=draw(st.none() | texts))
    for one in made["tool_calls"]:
        one["function"]["arguments"] = json.dumps(draw(arguments), ensure_ascii=False, separators=(",", ":"))
    failed = draw(st.booleans())
    done = [result(key, draw(texts | pieces)) | ({"is_error": True} if failed else {}) for key in keys]
    if draw(st.booleans()):
        made["thinking_blocks"] = [{"type": "thinking", "thinking": draw(texts), "signature": "c2ln"}]
    return [made, *done]


conversations = st.builds(
    lambda head, turns: [*head, *(message for turn in turns for message in turn)],
    st.builds(lambda said: [system(said)], texts) | st.just([]),
    st.lists(users | answers | exchanges(), min_size=1, max_size=5),
)


def plain(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One text alone is the text; a result bears the name of its call whether it is written or not."""
    out = []
    for message in messages:
        one = {name: value for name, value in message.items() if name != "name" or message["role"] != "tool"}
        if isinstance(one["content"], list) and len(one["content"]) == 1 and one["content"][0]["type"] == "text":
            one["content"] = one["content"][0]["text"]
        out.append({**one, "content": one["content"] or None})
    return out


@pytest.mark.parametrize("target", PROVIDERS)
@given(messages=conversations, tools=st.sampled_from([[], [WEATHER]]))
@settings(max_examples=25, deadline=None)
def test_what_comes_back_is_equal_or_the_loss_is_named_and_nothing_is_refused(target, messages, tools):
    made = export(messages, tools, target, "some-model")
    assert refused(made.payload, target) == []
    back = loads(json.dumps(made.payload), name="request.json")
    assert back.settings.get("model", back.extra.get("model")) == "some-model"
    if not made.losses:
        assert plain(back.messages) == plain(messages)
        assert list(back.tools) == tools
    said = {text for message in messages for text in texts_of(message)}
    assert said <= {text for message in back.messages for text in texts_of(message)}


def refused(payload: Mapping[str, Any], target: str) -> list[Any]:
    """What the provider would refuse in a request of its shape."""
    return [one for one in lint_request(payload, shape=LINTED_AS.get(target, target)) if one.severity == "error"]


def texts_of(message: Mapping[str, Any]) -> list[str]:
    """The words of a message, and the names of what it calls."""
    content = message.get("content") or []
    parts = [{"text": content}] if isinstance(content, str) else content
    said = [line for part in parts for line in str(part.get("text", "")).split("\n")]
    return [line for line in said if line.strip()] + [one["function"]["name"] for one in message.get("tool_calls", ())]


HELD = [
    system("Be brief."),
    user("See."),
    image("What is this?"),
    assistant("A dot."),
    user("And the weather?"),
    calls("c1", "c2", text="I look."),
    result("c1", "7 degrees"),
    result("c2", "8 degrees"),
    assistant("7 and 8."),
    user("Thanks."),
]


@pytest.mark.parametrize("target", PROVIDERS)
def test_an_ordinary_conversation_is_held_by_all_but_for_the_detail_of_pictures(target):
    made = export(HELD, [WEATHER], target, "m")
    back = loads(json.dumps(made.payload))
    if target in ("anthropic", "gemini"):
        assert target == "anthropic" or made.losses == ("the detail of pictures: /messages/2",)
    else:
        assert made.losses == ()
        assert plain(back.messages) == HELD
    assert list(back.tools) == [WEATHER]


def test_what_no_provider_takes_is_mended_and_named():
    broken = [
        assistant("First."),
        calls("c1", "c2", arguments="not json"),
        result("c1", ""),
        user("   "),
        result("c9", "whose?"),
        {**user("hi"), "mood": "good"},
    ]
    for target in PROVIDERS:
        made = export(broken, [], target, "m")
        assert refused(made.payload, target) == []
        told = "\n".join(made.losses)
        for loss in ("never answered", "blanks only", "without a call", "fields of no request (mood)"):
            assert loss in told


def test_pictures_in_results_stay_there_or_follow_in_a_message_of_the_user():
    shot = [{"type": "text", "text": "Here:"}, {"type": "image_url", "image_url": {"url": PIXEL}}]
    messages = [user(), calls("c1", "c2"), result("c1", shot), result("c2", "ok")]
    chat = export(messages, [], "openai-chat", "m")
    assert [message["role"] for message in chat.payload["messages"]] == ["user", "assistant", "tool", "tool", "user"]
    assert "what is no text in a result" in chat.losses[0]
    for target in ("anthropic", "openai-responses"):
        made = export(messages, [], target, "m")
        assert made.losses == ()
        assert plain(loads(json.dumps(made.payload)).messages) == plain(messages)


def test_a_payload_of_documents_alone_is_a_request_that_is_taken():
    trace = build(scenario([], documents=[document("doc-01", words(3))]), system="compiler")
    for target in PROVIDERS:
        assert refused(export_trace(trace, target).payload, target) == []


def test_the_program_builds_exactly_this_payload(tmp_path):
    source = scenario(
        [system("It's \"quoted\" 'twice'\\n"), *talk(12), image(), calls("c1"), result("c1", "7°\u2028"), user()],
        documents=[document("doc-01", words(40))],
        tools=[WEATHER],
    )
    trace = build(
        source, system="compiler", window=1_200, limits={"history": "20%"}, options={"guardrail.enabled": "on"}
    )
    file = tmp_path / "payload.py"
    file.write_text(export_trace(trace, "python").payload, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    run = subprocess.run([sys.executable, str(file)], capture_output=True, encoding="utf-8", check=True, env=env)
    assert json.loads(run.stdout) == {"model": "gpt-4o", "messages": trace.messages, "tools": trace.tools}
    assert len(trace.messages) < len(source.messages)


def test_the_program_asks_with_no_list_of_tools_where_there_are_none():
    trace, names = build(scenario(talk(2))), {"__name__": "payload"}
    exec(export_trace(trace, "python").payload, names)
    assert names["request"] == {"model": "gpt-4o", "messages": trace.messages}


@pytest.mark.parametrize(
    ("model", "own"),
    [
        ("models/gpt-4o", {"openai-chat", "openai-responses"}),
        ("models/claude-opus-4-5-20251101", {"anthropic"}),
        ("gemini-2.5-pro", {"gemini"}),
        ("qwen3-32b", {"openai-chat", "openai-responses"}),
        ("a-model-of-nobody-known", set(PROVIDERS)),
    ],
)
def test_a_model_of_another_provider_is_named(model, own):
    told = {target for target in PROVIDERS if any(model in line for line in export([user()], [], target, model).losses)}
    assert told == set(PROVIDERS) - own


def called(*argv: str) -> tuple[str, str]:
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        assert main(argv) == 0
    return out.getvalue(), errors.getvalue()


def test_convert_writes_a_file_that_is_read_again_and_tells_its_losses(tmp_path):
    file = tmp_path / "chat.json"
    file.write_text(json.dumps({"model": "gpt-4o", "messages": [*HELD, user("a\x9bb\u202e")], "tools": [WEATHER]}))
    for target in (*PROVIDERS, "scenario"):
        text, told = called("convert", str(file), "--to", target)
        assert loads(text).messages[-1]["content"] == "a\x9bb\u202e"
        assert "\x9b" not in text
        assert called("convert", str(file), "--to", target, "--json")[0] != text
        assert ("gemini cannot hold the detail of pictures: /messages/2." in told) == (target == "gemini")
    assert json.loads(called("convert", str(file), "--to", "openai", "--json")[0])["messages"][:-1] == HELD
    small, _ = called("convert", str(file), "--to", "openai-chat", "--system", "gssc", "--window", "160")
    assert len(json.loads(small)["messages"]) < len(HELD)
    program, _ = called("convert", str(file), "--to", "python")
    assert "Settings(\n    system='raw'" in program


def test_a_scenario_file_of_a_build_holds_its_payload():
    trace = build(scenario(talk(20)), window=600)
    again = Scenario.from_json(export_trace(trace, "scenario").payload)
    assert list(again.messages) == trace.messages
