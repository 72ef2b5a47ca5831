"""Services behind a real server that is slow, cuts the connection or answers garbage: each fault is in the ledger, and
the build goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.request import Request, urlopen

import pytest

from ctxcore import Trace
from ctxcore.defaults import built_in_services
from ctxcore.doors.compiler import ContextLayer
from ctxcore.services import Counter, Hit, Remembered, Services
from tests import laws
from tests.build import built, document, ids, rules, stage, system, user, words
from tests.models.acting import Server, answer, cut, fails, serving, silent

DOCS = [document(f"doc-{at:02d}", words(12, name)) for at, name in enumerate(("river", "lake", "brook", "dam"), 1)]
TALK = [system(), *(user(words(60, f"pond{at}")) for at in range(4)), user("How wide is the lake?")]


@dataclass(frozen=True)
class Remote:
    """A service at the other end of a connection, as anybody may write one: no retries, no checks, no care."""

    address: str
    patience: float = 0.4
    scale = "as the server likes"
    fingerprint = "remote/1"

    def _post(self, **body: Any) -> Any:
        sent = Request(self.address, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urlopen(sent, timeout=30) as reply:
            return json.loads(reply.read())

    def search(self, query: str, texts: Sequence[str], k: int) -> Any:
        return tuple(Hit(at, score) for at, score in self._post(query=query, texts=list(texts), k=k))

    def compress(self, text: str, *, query: str, max_tokens: int, counter: Counter, source: str = "") -> Any:
        return self._post(text=text, max_tokens=max_tokens)

    def digest(self, texts: Sequence[tuple[str, str]], *, query: str, max_tokens: int, counter: Counter) -> Any:
        return self._post(texts=list(texts), max_tokens=max_tokens)

    def load(self) -> Any:
        return [Remembered(one["id"], one["text"]) for one in self._post(user="ann")]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def remote(server: Server) -> Remote:
    return Remote(server.address)


def told(trace: Trace, rule: str) -> list[tuple[str, str]]:
    """The fault and what was said about it, each time that the rule was reported; and the laws hold."""
    laws.check(trace.to_json(), valid_input=True)
    found = [problem for snapshot in trace.snapshots for problem in snapshot.problems if problem.rule == rule]
    assert {problem.severity for problem in found} <= {"warning"}
    return [(problem.facts["fault"], problem.facts["says"]) for problem in found]


def retrieved(remote: Remote) -> Trace:
    services = Services(built_in_services().compressor, remote)
    return built(TALK[-1:], sources={"documents": DOCS}, system="compiler", services=services)


FAULTS = {
    "slow": (silent(3), "timeout"),
    "cut": (cut, "error"),
    "an error": (fails(500, "out of memory"), "error"),
    "no JSON": (answer(b"<html>502 Bad Gateway"), "error"),
    "nothing": (answer(b""), "error"),
    "another shape": (answer({"hits": None}), "error"),
    "beyond the texts": (answer([[0, 0.9], [99, 0.8]]), "answer"),
    "below the texts": (answer([[-1, 0.9]]), "answer"),
    "twice the same": (answer([[1, 0.9], [1, 0.8]]), "answer"),
    "no number": (answer(b"[[1, NaN]]"), "answer"),
    "without end": (answer(b"[[1, Infinity]]"), "answer"),
    "a text as score": (answer([[1, "best"]]), "error"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_b15_a_retriever_that_fails_is_replaced_by_keyword_search(server: Server, remote: Remote, name: str) -> None:
    act, fault = FAULTS[name]
    server.acts = [act]
    began = time.monotonic()
    trace = retrieved(remote)
    assert time.monotonic() - began < 2.5
    (said,) = told(trace, "retriever-failed")
    assert said[0] == fault or (fault, said[0]) == ("error", "answer")
    assert "doc-02" in ids(trace)
    decision = next(d for d in stage(trace, "retrieval-injector").decisions if d.item == "doc-02")
    assert decision.facts["scale"].startswith("BM25")  # the scale of who answered, not of who was asked


def test_b15_a_retriever_that_works_is_used(server: Server, remote: Remote) -> None:
    server.acts = [answer([[3, 0.2], [0, 0.9]])]
    trace = retrieved(remote)
    assert told(trace, "retriever-failed") == []
    assert [item for item in ids(trace) if item.startswith("doc")] == ["doc-01", "doc-04"]


def test_b15_what_an_error_says_is_not_passed_on(server: Server, remote: Remote) -> None:
    """It may quote what was sent."""
    server.acts = [fails(500, "cannot read: my password is hunter2")]
    assert "hunter2" not in json.dumps(retrieved(remote).to_json())


def test_b15_a_service_that_is_down_is_asked_once_in_a_build(server: Server, remote: Remote) -> None:
    server.acts = [cut]
    services = Services(remote, built_in_services().retriever)
    trace = built(TALK, window=900, services=services)
    assert [fault for fault, _ in told(trace, "compressor-failed")] == ["error"]
    assert len(server.bodies) == 1
    built(TALK, window=900, services=services)
    assert len(server.bodies) == 2  # the next build tries again


POISON = {
    "empty": (answer(b'""'), "answer-empty"),
    "blanks": (answer(json.dumps(" \n").encode()), "answer-empty"),
    "null": (answer(b"null"), "answer-no-text"),
    "an object": (answer({"text": "short"}), "answer-no-text"),
    "a book": (answer(json.dumps(words(500)).encode()), "answer-long"),
}


@pytest.mark.parametrize("name", POISON)
@pytest.mark.parametrize("system_name", ["gssc", "compiler"])
def test_b15_what_a_compressor_must_not_answer_is_refused(
    server: Server, remote: Remote, name: str, system_name: str
) -> None:
    act, code = POISON[name]
    server.acts = [act]
    trace = built(TALK, window=900, system=system_name, services=Services(remote, built_in_services().retriever))
    faults = told(trace, "compressor-failed")
    assert faults
    assert all(fault == "answer" and said.code == code for fault, said in faults)
    own = built(TALK, window=900, system=system_name)
    assert trace.messages == own.messages  # as the built-in one would have it


REMEMBERED = [{"id": "memory-a1", "text": "Swims in the lake."}, {"id": "memory-b2", "text": "Has two dogs."}]


def remembering(remote: Remote, **settings: Any) -> Trace:
    own = built_in_services()
    return built(TALK[-1:], services=Services(own.compressor, own.retriever, remote), **settings)


@pytest.mark.parametrize("act", [silent(3), cut, fails(503), answer(b"{"), answer({"rows": 2})])
@pytest.mark.parametrize("system_name", ["gssc", "compiler", "layered", "raw"])
def test_b15_without_its_memory_the_build_goes_on(server: Server, remote: Remote, act: Any, system_name: str) -> None:
    server.acts = [act]
    trace = remembering(remote, system=system_name)
    assert len(told(trace, "memory-failed")) == 1
    assert [item for item in ids(trace) if item != "board"] == ["turn-0001"]


def test_b11_what_is_remembered_is_loaded_once_and_ranked(server: Server, remote: Remote) -> None:
    server.acts = [answer(REMEMBERED[::-1])]
    trace = remembering(remote)
    assert rules(trace, "gather", "memory-a1") == ["remembered"]
    assert [item for item in ids(trace) if item.startswith("memory")] == ["memory-a1", "memory-b2"]
    assert len(server.bodies) == 1


def test_b15_of_poisonous_memory_the_sound_part_is_used(server: Server, remote: Remote) -> None:
    bad = [{"id": "", "text": "x"}, {"id": "memory-c3", "text": None}, {"id": "memory-a1", "text": "twice"}]
    bad += [{"id": "memory-d4", "text": "x" * 30_000}, {"id": 7, "text": "y"}]
    server.acts = [answer([*REMEMBERED, *bad])]
    trace = remembering(remote)
    assert told(trace, "memory-failed") == [("answer", "5 of its 7 records cannot be used.")]
    assert {item for item in ids(trace) if item.startswith("memory")} == {"memory-a1", "memory-b2"}


class Down:
    patience = 0.3

    def search(self, query: str) -> Sequence[str]:
        time.sleep(2)
        return ["too late"]


def test_b15_the_article_s_layer_goes_on_without_its_retriever() -> None:
    layer = ContextLayer("Be brief.", [], retriever=Down())
    messages = layer.compile([user("How wide is the lake?")])
    assert [message["content"] for message in messages] == ["Be brief.", "How wide is the lake?"]
    assert told(layer.trace, "search-failed") == [("timeout", "It did not answer within 0.3 s.")]


class Wrong:
    """In this process, without a time of its own, and faulty."""

    patience = None
    fingerprint, scale = "wrong/1", "none"

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        raise KeyError("secret text")


def test_b15_a_fault_in_a_service_of_this_process_is_no_crash() -> None:
    trace = built(
        TALK[-1:],
        sources={"documents": DOCS},
        system="compiler",
        services=Services(built_in_services().compressor, Wrong()),
    )
    assert told(trace, "retriever-failed") == [("error", "It raised KeyError.")]
