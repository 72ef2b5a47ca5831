"""Servers as they are on a bad day: slow, overloaded, cut off, talking nonsense. A real one on a loopback port."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from ctxcore.compressing.extractive import Extractive
from ctxcore.compressing.model_compressor import ModelCompressor
from ctxcore.counting.tokens import counter_for
from ctxcore.errors import InputError
from ctxcore.fakes import ScriptedModel
from ctxcore.model.endpoint import Endpoint, endpoint_from_env, local_endpoint
from ctxcore.model.replies import ModelError, Reply
from tests.models.acting import Server, answer, cut, delta, fails, silent, stream

KEY = "sk-secret-9f8e7d6c"
HELLO = [{"role": "user", "content": "Hello"}]
USAGE = {"prompt_tokens": 8, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}
GOOD = {
    "model": "m-1",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi there"}, "finish_reason": "stop"}],
    "usage": USAGE,
}
EMPTY = {"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]}


@pytest.fixture
def endpoint(server: Server) -> Endpoint:
    """Waits for nobody: what it would have slept is in `slept`."""
    return Endpoint("m-1", server.address, KEY, timeout=5, sleep=slept_in(server))


def slept_in(server: Server) -> Callable[[float], None]:
    server.slept = []
    return server.slept.append


def failing(endpoint: Endpoint, **options: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        endpoint.reply(HELLO, **options)
    error = caught.value
    assert str(error).startswith(endpoint.host)
    assert "\n" not in str(error)
    assert KEY not in str(error) + repr(error)
    return error


def test_a_good_reply(server, endpoint):
    server.acts = [answer(GOOD)]
    reply = endpoint.reply(HELLO, max_tokens=5)
    expected = Reply("Hi there", (), 8, 2, 4, reply.seconds, "stop", "m-1", 1)
    assert reply == expected
    assert server.bodies == [{"model": "m-1", "messages": HELLO, "max_tokens": 5, "temperature": 0.0}]
    assert server.keys == [f"Bearer {KEY}"]


def test_messages_reach_the_server_as_they_are(server, endpoint):
    server.acts = [answer(GOOD)]
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{not json"}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "é\u2028\r\n👩‍👩‍👧"}], "unknown": {"kept": [1, None]}},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "", "name": "f"},
    ]
    endpoint.reply(messages)
    assert server.bodies[0]["messages"] == messages


def test_calls(server, endpoint):
    call = {"id": "c1", "function": {"name": "sum", "arguments": '{"a": 1}'}}
    server.acts = [
        answer({"choices": [{"message": {"content": None, "tool_calls": [call]}, "finish_reason": "tool_calls"}]})
    ]
    reply = endpoint.reply(HELLO, tools=[{"type": "function", "function": {"name": "sum"}}])
    assert [(call.id, call.name, call.arguments) for call in reply.calls] == [("c1", "sum", '{"a": 1}')]
    assert (reply.text, reply.finish, reply.prompt_tokens) == ("", "tool_calls", None)


def test_a_stream_with_calls_in_pieces(server, endpoint):
    first = delta(tool_calls=[{"index": 0, "id": "c1", "function": {"name": "sum", "arguments": '{"a'}}])
    second = delta(tool_calls=[{"index": 0, "function": {"arguments": '": 1}'}}])
    usage = b"data: " + json.dumps({"choices": [], "usage": USAGE}).encode() + b"\n\n"
    pieces = (
        b": ping\r\n\r\n",
        delta(content="A\u2028"),
        delta(content="B"),
        first,
        second,
        delta("tool_calls"),
        usage,
    )
    split = b"".join((*pieces, b"data: [DONE]\n\n"))
    server.acts = [stream(*(split[at : at + 7] for at in range(0, len(split), 7)))]
    shown: list[str] = []
    reply = endpoint.reply(HELLO, on_text=shown.append)
    assert shown == ["A\u2028", "B"]
    assert (reply.text, reply.finish, reply.prompt_tokens) == ("A\u2028B", "tool_calls", 8)
    assert [(call.id, call.name, call.arguments) for call in reply.calls] == [("c1", "sum", '{"a": 1}')]
    assert server.bodies[0]["stream_options"] == {"include_usage": True}


def test_an_endpoint_that_does_not_stream(server, endpoint):
    server.acts = [answer(GOOD)]
    shown: list[str] = []
    assert endpoint.reply(HELLO, on_text=shown.append).text == "Hi there"
    assert shown == ["Hi there"]


def test_a_slow_server_times_out(server, endpoint):
    server.acts = [silent(5)]
    began = time.monotonic()
    error = failing(replace(endpoint, timeout=0.2))
    assert (error.kind, len(server.bodies)) == ("timeout", 3)
    assert time.monotonic() - began < 2
    assert server.slept == [0.5, 1.0]


def test_a_server_that_trickles_times_out(server, endpoint):
    server.acts = [stream(*[b" "] * 100, pause=0.05)]
    assert failing(replace(endpoint, timeout=0.2, retries=0)).kind == "timeout"
    server.acts = [stream(*[b": still there\n\n"] * 100, pause=0.05)]
    assert failing(replace(endpoint, timeout=0.2, retries=0), on_text=print).kind == "timeout"


def test_slow_then_good(server, endpoint):
    server.acts = [silent(5), answer(GOOD)]
    assert replace(endpoint, timeout=0.5).reply(HELLO).attempts == 2


def test_overloaded_then_good(server, endpoint):
    server.acts = [answer({"error": {"message": "slow down"}}, 429, Retry_After="3"), answer(GOOD)]
    assert endpoint.reply(HELLO).attempts == 2
    assert server.slept == [3.0]


def test_who_asks_for_an_hour_is_not_waited_for(server, endpoint):
    server.acts = [answer({"error": {"message": "slow down"}}, 429, Retry_After="3600")]
    error = failing(endpoint)
    assert (error.kind, error.wait, server.slept) == ("rate", 3600, [])


def test_an_empty_account_is_not_asked_again(server, endpoint):
    server.acts = [fails(429, "You exceeded your current quota", code="insufficient_quota")]
    assert failing(endpoint).kind == "rate"
    assert len(server.bodies) == 1


def test_500_thrice(server, endpoint):
    server.acts = [fails(500, f"out of memory, key {KEY}")]
    error = failing(endpoint)
    assert (error.kind, len(server.bodies), server.slept) == ("server", 3, [0.5, 1.0])
    assert "answered 500: out of memory, key [key]" in str(error)


def test_500_twice_then_good(server, endpoint):
    server.acts = [fails(500), answer(b"<html>Bad gateway</html>", 502, "text/html"), answer(GOOD)]
    assert endpoint.reply(HELLO).attempts == 3


def test_cut_before_anything_came(server, endpoint):
    server.acts = [cut, cut, answer(GOOD)]
    assert endpoint.reply(HELLO).attempts == 3
    server.acts = [cut]
    assert failing(endpoint).kind == "connection"


@pytest.mark.parametrize("act", [
    stream(delta(content="Half of"), whole=False),
    answer(delta(content="Half of"), kind="text/event-stream"),
    answer(delta(content="Half of") + b'data: {"choi', kind="text/event-stream"),
], ids=["without the last chunk", "without a finish", "inside a piece"])  # fmt: skip
def test_cut_in_the_middle_of_a_stream(server, endpoint, act):
    """What was shown stays shown, so that it is not asked for again."""
    server.acts = [act]
    shown: list[str] = []
    error = failing(endpoint, on_text=shown.append)
    assert (error.kind, error.partial, shown, len(server.bodies)) == ("connection", "Half of", ["Half of"], 1)


def test_a_stream_that_ends_in_an_error(server, endpoint):
    server.acts = [stream(delta(content="Half"), b'data: {"error": {"message": "worker died"}}\n\n')]
    error = failing(endpoint, on_text=lambda text: None)
    assert (error.kind, error.partial) == ("server", "Half")
    assert "worker died" in str(error)


@pytest.mark.parametrize(
    "act", [answer(EMPTY), answer(b""), stream(b"data: [DONE]\n\n")], ids=["text", "body", "stream"]
)
def test_empty_is_asked_for_once_more(server, endpoint, act):
    server.acts = [act]
    on_text = print if act is not None else None
    assert failing(endpoint, on_text=on_text).kind == "empty"
    assert len(server.bodies) == 2


@pytest.mark.parametrize("body", [
    b"{]", b"\xff\xfe", b"[1, 2]", b"null", b'{"object": "list"}', b'{"choices": {"a": 1}}', b'{"choices": [5]}',
    b'{"choices": [{"message": "text"}]}', b"<html><body>Welcome</body></html>",
])  # fmt: skip
@pytest.mark.parametrize("streams", [False, True])
def test_nonsense_is_asked_for_once_more(server, endpoint, body, streams):
    server.acts = [answer(body, kind="text/html" if body.startswith(b"<") else "application/json")]
    error = failing(endpoint, on_text=print if streams else None)
    assert (error.kind, len(server.bodies)) == ("malformed", 2)


@pytest.mark.parametrize(("message", "fields", "counts"), [
    ("the request exceeds the available context size", {"type": "exceed_context_size_error", "n_prompt_tokens": 6031,
                                                        "n_ctx": 4096}, {"prompt": 6031, "window": 4096}),
    ("This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
     {"code": "context_length_exceeded"}, {"prompt": 9001, "window": 8192}),
    ("prompt is too long: 210000 tokens > 200000 maximum", {}, {"prompt": 210000, "window": 200000}),
], ids=["llama.cpp", "OpenAI", "Anthropic"])  # fmt: skip
def test_too_long(server, endpoint, message, fields, counts):
    server.acts = [fails(400, message, **fields)]
    error = failing(endpoint)
    assert (error.kind, error.counts, len(server.bodies)) == ("too-long", counts, 1)


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_never_repeated(server, endpoint, status, caplog):
    server.acts = [fails(status, f"Incorrect API key provided: {KEY}")]
    with caplog.at_level(logging.DEBUG):
        error = failing(endpoint)
    assert (error.kind, len(server.bodies)) == ("key", 1)
    assert KEY not in caplog.text + repr(endpoint) + str(endpoint) + endpoint.fingerprint


def test_a_refused_request_is_not_sent_again(server, endpoint):
    server.acts = [fails(404, "The model m-1 does not exist")]
    error = failing(endpoint)
    assert (error.kind, len(server.bodies)) == ("refused", 1)
    assert "m-1 does not exist" in str(error)
    assert "CTXCORE_MODEL" in str(error)


def test_an_endpoint_that_does_not_take_every_parameter(server, endpoint):
    server.acts = [
        fails(400, "Unsupported parameter: 'max_tokens'; use 'max_completion_tokens'"),
        fails(422, "stream_options: extra fields not permitted"),
        answer(GOOD),
    ]
    assert endpoint.reply(HELLO, max_tokens=9, on_text=print).attempts == 1
    assert server.bodies[-1]["max_completion_tokens"] == 9
    assert not {"max_tokens", "stream_options"} & server.bodies[-1].keys()
    endpoint.reply(HELLO, max_tokens=9)
    assert len(server.bodies) == 4


def test_reasoning_models_are_asked_in_their_way(server):
    server.acts = [answer(GOOD)]
    Endpoint("gpt-5-mini", server.address).reply(HELLO, max_tokens=9)
    assert server.bodies == [{"model": "gpt-5-mini", "messages": HELLO, "max_completion_tokens": 9}]


def test_stop_in_the_middle_of_a_stream(server, endpoint):
    server.acts = [stream(*[delta(content=f"{n} ") for n in range(1000)], pause=0.02)]
    shown: list[str] = []
    reply = endpoint.reply(HELLO, on_text=shown.append, stop=lambda: len(shown) >= 3)
    assert (reply.text, reply.finish, reply.prompt_tokens) == ("0 1 2 ", "stopped", None)


def test_stop_while_nothing_comes(server, endpoint):
    server.acts = [silent(5)]
    until = time.monotonic() + 0.1
    reply = replace(endpoint, timeout=30).reply(HELLO, on_text=print, stop=lambda: time.monotonic() > until)
    assert (reply.text, reply.finish) == ("", "stopped")
    assert time.monotonic() < until + 1


@pytest.mark.parametrize("stops", [True, False])
def test_the_server_learns_that_nobody_waits(server, endpoint, stops):
    """A local model would otherwise work on, and the next question would stand in line behind."""
    noticed = threading.Event()

    def act(request: BaseHTTPRequestHandler) -> None:
        if not request.connection.recv(1):
            noticed.set()

    server.acts = [act]
    if stops:
        assert endpoint.reply(HELLO, stop=lambda: bool(server.bodies)).finish == "stopped"
    else:
        failing(replace(endpoint, timeout=0.2, retries=0))
    assert noticed.wait(2)


def test_stop_between_two_attempts(server, endpoint):
    server.acts = [fails(503, "loading")]
    error = failing(endpoint, stop=lambda: bool(server.slept))
    assert (error.kind, len(server.bodies)) == ("stopped", 1)
    assert "loading" in str(error)


def test_a_failure_of_the_reader_is_the_readers(server, endpoint):
    server.acts = [stream(delta(content="Hi"), delta("stop"))]

    def shows(text: str) -> None:
        raise OSError("the screen is gone")

    with pytest.raises(OSError, match="the screen is gone"):
        endpoint.reply(HELLO, on_text=shows)
    assert len(server.bodies) == 1


def test_nobody_listens():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    error = failing(Endpoint("m", f"http://127.0.0.1:{port}/v1", KEY, timeout=1, sleep=lambda _: None))
    assert error.kind == "connection"
    assert str(error).startswith(f"127.0.0.1:{port}: nothing listens there. ")
    assert local_endpoint(port) is None


def test_no_server_of_the_name():
    endpoint = Endpoint("m", "http://user:word@no-such-host.invalid/v1", KEY, timeout=3, retries=0)
    error = failing(endpoint)
    assert error.kind in ("connection", "timeout", "server")  # a proxy may answer in its place
    assert "word" not in str(error) + endpoint.fingerprint


@pytest.mark.parametrize("key", ["sk-ключ", "sk-a\nb", "sk a"])
def test_a_key_that_no_header_can_hold(server, key):
    with pytest.raises(ModelError) as caught:
        Endpoint("m", server.address, key).reply(HELLO)
    assert caught.value.kind == "key"
    assert key not in str(caught.value)


@pytest.mark.parametrize("address", ["localhost:8000", "ftp://x", "http://", "http://x:y", "/v1"])
def test_an_address_that_is_none(address):
    with pytest.raises(InputError, match="OPENAI_BASE_URL"):
        Endpoint("m", address)


def test_what_the_environment_names(monkeypatch):
    assert endpoint_from_env({"CTXCORE_MODEL": "m"}) is None
    found = endpoint_from_env({"OPENAI_API_KEY": f" {KEY}\n", "CTXCORE_SMALL_MODEL": "s"})
    assert (found.model, found.base_url, found.api_key) == ("gpt-4o-mini", None, KEY)
    environ = {"OPENAI_BASE_URL": "http://h:1/v1", "CTXCORE_MODEL": "m", "CTXCORE_SMALL_MODEL": "s"}
    found, small = endpoint_from_env(environ), endpoint_from_env(environ, small=True)
    assert (found.model, small.model, found.api_key, found.host) == ("m", "s", None, "h:1")


def test_no_key_of_the_environment_goes_to_an_endpoint_without_one(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    server.acts = [answer(GOOD)]
    Endpoint("m", server.address).reply(HELLO)
    assert server.keys == ["Bearer none"]


# The compressor. Its results are short, true to the source, and never an error's text.

COUNTER = counter_for("gpt-4o")
TEXT = "\n".join(f"Line {n}: the service answered {n * 7} requests and logged nothing special." for n in range(60))
LIMITS = {"query": "How many requests?", "max_tokens": 100, "counter": COUNTER}


def test_a_failing_model_leaves_the_fallback(server, endpoint):
    server.acts = [fails(500, "out of memory")]
    compressor = ModelCompressor(endpoint, Extractive())
    assert compressor.compress(TEXT, **LIMITS) == Extractive().compress(TEXT, **LIMITS)
    (rule, facts), *rest = compressor.told()
    assert (rule, facts["kind"], rest) == ("model-failed", "server", [])
    assert "out of memory" in facts["says"]
    assert compressor.told() == ()
    compressor.compress(TEXT, **LIMITS | {"max_tokens": 50})
    assert len(server.bodies) == 3  # while it is down it is left alone
    assert compressor.told()[0][0] == "model-failed"


@pytest.mark.parametrize(("reply", "rule"), [
    ("The service answered 7 to 413 requests.", "model-summary"),
    (TEXT + " And more.", "model-refused-longer"),
    ("The service answered 999 requests.", "model-invented"),
    ("<think>So 999?</think>", "model-failed"),
    ("1. Requests: 7, 14, 21.\n2. Nothing special.", "model-summary"),
    (TEXT[:2000], "model-summary"),
])  # fmt: skip
def test_no_answer_is_taken_on_trust(reply, rule):
    compressor = ModelCompressor(ScriptedModel([reply]), Extractive())
    short = compressor.compress(TEXT, **LIMITS)
    assert 0 < COUNTER.count(short) <= 100
    assert [told for told, _ in compressor.told()] == [rule]
    if rule != "model-summary":
        assert short == Extractive().compress(TEXT, **LIMITS)
    elif len(reply) < 200:
        assert short == reply


def test_answers_are_remembered():
    model = ScriptedModel(["The service answered 14 requests."])
    compressor = ModelCompressor(model, Extractive())
    idle = ModelCompressor(model, Extractive(), live=False)
    before = idle.fingerprint
    assert idle.compress(TEXT, **LIMITS) == Extractive().compress(TEXT, **LIMITS)
    (rule, facts), *_ = idle.told()
    assert (rule, facts["calls"], model.asked) == ("model-not-called", 1, [])
    assert 900 < facts["prompt_tokens"] < 2000
    first = compressor.compress(TEXT, **LIMITS)
    assert first == compressor.compress(TEXT, **LIMITS | {"max_tokens": 110}) == idle.compress(TEXT, **LIMITS)
    assert len(model.asked) == 1
    assert idle.fingerprint != before
    assert [facts["remembered"] for _, facts in compressor.told()] == [0, 1]


def test_a_text_beyond_the_models_window_is_asked_for_in_parts():
    too_long = ModelError("too-long", "answered 400")
    model = ScriptedModel([too_long, *["Answered 7 requests."] * 4])
    compressor = ModelCompressor(model, Extractive(), window=2400)
    assert COUNTER.count(TEXT) < 1200
    assert compressor.compress(TEXT, **LIMITS | {"max_tokens": 99}) == "Answered 7 requests.\nAnswered 7 requests."
    assert len(model.asked) == 3
    texts = [messages[1]["content"].partition("<text>\n")[2].removesuffix("\n</text>") for messages in model.asked]
    assert "\n".join(texts[1:]) == texts[0] == TEXT


def test_chinese_is_asked_for_in_chinese():
    model = ScriptedModel(["订单 4821 已退款 350 元。"])
    text = "客户说订单 4821 还没有到。客服查了物流，确认包裹丢失。经过讨论，决定退款 350 元，三天内到账。" * 3
    limits = {"query": "退款多少？", "max_tokens": 60, "counter": COUNTER}
    assert ModelCompressor(model, Extractive()).digest([("user", text)], **limits) == "订单 4821 已退款 350 元。"
    system, user = (message["content"] for message in model.asked[0])
    assert system.startswith("你在为另一个语言模型准备上下文。请总结")
    assert "最多 43 个字" in user
    assert "user: 客户说订单 4821" in user
