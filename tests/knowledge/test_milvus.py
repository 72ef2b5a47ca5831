"""Milvus gives the neighbours that the exact search gives: in a file, and on a server. The same test for both."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctxcore.fakes import HeadCompressor, WordsEmbedder
from ctxcore.retrieving import at_hand
from ctxcore.retrieving.embedding import EmbeddingRetriever
from ctxcore.services import Services
from tests.browser.server import free_port
from tests.build import built, document, problems, rules, user
from ui.knowledge import cutting

pytest.importorskip("pymilvus")

from ctxcore.retrieving.milvus import MilvusRetriever, RetrieverError, forget

TEXTS = tuple(f"Document {at} tells of subject {at % 7} and of number {at * 37 % 101}." for at in range(300))
QUERIES = ("subject 3", "number 41", "what does document 250 tell?", "subject 5 and number 9")
SERVER = """
import sys, time
from milvus import MilvusServer
server = MilvusServer()
server.set_base_dir(sys.argv[1])
server.listen_port = int(sys.argv[2])
server.start()
print("ready", flush=True)
sys.stdin.read()
server.stop()
"""


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.deep)])
def uri(request, tmp_path: Path) -> Iterator[str]:
    if request.param == "file":
        yield str(tmp_path / "vectors.db")
    elif address := os.environ.get("CTXCORE_TEST_MILVUS"):
        yield address
    else:
        yield from server(tmp_path)


def server(folder: Path) -> Iterator[str]:
    """A real server, from the package `milvus`, run by the Python that CTXCORE_TEST_MILVUS_PYTHON names."""
    python = os.environ.get("CTXCORE_TEST_MILVUS_PYTHON") or sys.executable
    if subprocess.run([python, "-c", "import milvus"], capture_output=True).returncode:
        pytest.skip("no server: name one in CTXCORE_TEST_MILVUS, or a Python that has the package milvus")
    port = free_port()
    command = [python, "-c", SERVER, str(folder / "data"), str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdin
        assert started.stdout
        assert "ready" in started.stdout.readline()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            started.stdin.close()  # which stops it
            try:
                started.wait(30)
            except subprocess.TimeoutExpired:
                started.kill()
            shutil.rmtree(folder / "data", ignore_errors=True)


def test_it_finds_what_the_exact_search_finds_also_when_it_is_opened_again(uri):
    embedder = WordsEmbedder()
    exact = EmbeddingRetriever(embedder)
    for _ in range(2):  # the second time the vectors are there
        milvus = MilvusRetriever(embedder, uri)
        for query in QUERIES:
            wanted, found = exact.search(query, TEXTS, 10), milvus.search(query, TEXTS, 10)
            assert [hit.score for hit in found] == pytest.approx([hit.score for hit in wanted], abs=1e-5)
            sure = {hit.index for hit in wanted if hit.score > wanted[-1].score + 1e-5}  # ties may stand in any order
            assert sure <= {hit.index for hit in found}
    other = TEXTS[:20]
    assert {hit.index for hit in MilvusRetriever(embedder, uri).search("subject 3", other, 3)} <= set(range(20))
    forget(uri, embedder.fingerprint, TEXTS)
    forget(uri, embedder.fingerprint, TEXTS)


def test_an_address_where_nothing_listens_is_told_and_the_build_goes_on():
    milvus = MilvusRetriever(WordsEmbedder(), f"http://127.0.0.1:{free_port()}")
    with pytest.raises(RetrieverError, match=r"127\.0\.0\.1"):
        milvus.search("subject 3", TEXTS[:9], 2)
    sources = {"documents": [document("doc-01", "The cache is bounded.")]}
    trace = built([user("cache?")], sources=sources, system="compiler", services=Services(HeadCompressor(), milvus))
    assert rules(trace, "retrieval-injector", "doc-01") == ["retrieved"]
    assert problems(trace) == ["retriever-failed"]


def test_the_app_and_the_command_line_search_where_who_runs_them_says(uri, monkeypatch):
    monkeypatch.setenv("CTXCORE_MILVUS", uri)
    monkeypatch.setattr("ui.knowledge.bases.embedder_at_hand", WordsEmbedder)
    monkeypatch.setattr("ctxcore.retrieving.at_hand.embedder_at_hand", WordsEmbedder)
    exact = EmbeddingRetriever(WordsEmbedder())
    for found in (cutting.retriever("embedding", live=True), at_hand.retriever_at_hand("embedding")):
        assert isinstance(found, MilvusRetriever)
        for query in QUERIES:
            there, here = found.search(query, TEXTS, 10), exact.search(query, TEXTS, 10)
            assert [hit.score for hit in there] == pytest.approx([hit.score for hit in here], abs=1e-5)


@pytest.mark.parametrize(
    ("uri", "shown"),
    [("", ""), ("/srv/secret/v.db", "v.db"), ("http://me:pw@v.example:19530", "v.example:19530")],
)
def test_no_password_and_no_path_is_shown(uri, shown, monkeypatch):
    monkeypatch.setenv("CTXCORE_MILVUS", uri)
    assert at_hand.milvus_named() == shown
