"""What belongs to one visit stays in it: the key of an endpoint in memory, a scenario with whoever opened it."""

from __future__ import annotations

import base64
import json
import sqlite3
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from tests.browser.server import running
from tests.browser.talking import Talker, talking, texts
from tests.build import user, words
from tests.models.acting import Server, answer, fails, serving

KEY = "sk-typed-7Qm2zX9vLk4wRt8yBn3cDf6hJp1sGa5e"
REPLY = answer({"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9}})
SESSIONS = 5
PAGES = ("/", "/why", "/tune", "/compare", "/sources")  # with the settings beside them
MORE = ("/library", "/present")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("apart")


@pytest.fixture(scope="module")
def place(folder: Path) -> Iterator[str]:
    with running(folder) as address:
        yield address


@pytest.fixture(scope="module")
def model() -> Iterator[Server]:
    with serving() as model:
        yield model


def written(folder: Path) -> Iterator[bytes]:
    """Everything that the server has put on the disk; of databases, what their cells hold when they are unpacked."""
    for file in folder.iterdir():
        yield file.read_bytes()
        if file.suffix in (".db", ".sqlite"):
            database = sqlite3.connect(file)
            for (table,) in database.execute("select name from sqlite_master where type = 'table'").fetchall():
                for row in database.execute(f"select * from {table}"):
                    yield from (_unpacked(cell) for cell in row)
            database.close()


def _unpacked(cell: object) -> bytes:
    if isinstance(cell, bytes):
        return zlib.decompress(cell) if cell.startswith(b"x") else cell
    return str(cell).encode("utf-8", "replace")


def forms(secret: str) -> set[bytes]:
    """As it is, in hexadecimal, and in base64 wherever in a text it begins."""
    encoded = (base64.b64encode(b"-" * at + secret.encode())[4:-4] for at in range(3))
    return {secret.encode(), secret.encode().hex().encode(), *encoded}


def test_a_typed_key_is_in_nothing_that_is_written_said_or_taken_home(place, folder, model):
    model.acts = [fails(401, f"Incorrect API key provided: {KEY}"), fails(500, f"{KEY} is out of order"), REPLY]
    taken: list[bytes] = []
    with talking(place) as talker:
        talker.open("/?scenario=retention-analysis&view=ask")
        for field, text in (("url", model.address), ("key", KEY), ("name", "gpt-4o-mini")):
            talker.put(f"model.{field}", text)
        talker.put("FormSubmitter:model.form", True)
        heard = [*talker.heard]
        for _ in range(3):
            talker.put("ask.button", True)
            while talker.widget("ask.button")[2].disabled:
                talker.run()
            heard += talker.heard
        assert f"Bearer {KEY}" in model.keys
        talker.put("ask.continue", True)
        talker.put("summary.wanted", True)
        talker.put("share", True).put("share.link", True)
        heard += talker.heard
        taken += [talker.download(f"share.{kind}") for kind in ("report", "markdown", "csv")]
        talker.put("keep.run", True).put("keep.run.button", True)
        for page in (*PAGES, *MORE):
            heard += talker.go(page).heard
        talker.go("/library")
        taken.append(talker.download("library.export"))
    assert len(taken) == 4
    kept = [*written(folder)]
    assert [where for where in kept if b'"Yes."' in where], "the reply went on into the conversation, and is found"
    for where in (*heard, *taken, *kept):
        assert not [form for form in forms(KEY) if form in where], where[:200]


def test_several_who_visit_at_once_see_nothing_of_each_other(place):
    together = Barrier(SESSIONS)

    def visit(number: int) -> list[str]:
        mark = f"mark-of-{number}-alone"
        messages = [user(f"{mark} {words(20)} {at}") for at in range(40)]
        with talking(place) as talker:
            talker.open("/sources?scenario=support-chat")
            together.wait()
            talker.put("sources.section", "Open")
            talker.put("sources.drop.0", (f"{mark}.json", json.dumps(messages).encode()))
            heard = list(said(talker))
            for page in PAGES:
                heard += said(talker.go(page))
                heard += said(talker.put("limits.history", 1_000.0 + number))
            for page in MORE:
                heard += said(talker.go(page))
            assert any(mark in text for text in heard)
            return heard

    with ThreadPoolExecutor(SESSIONS) as pool:
        heard = list(pool.map(visit, range(SESSIONS)))
    for number, texts_of_one in enumerate(heard):
        others = [f"mark-of-{other}-alone" for other in range(SESSIONS) if other != number]
        assert not [text for text in texts_of_one if any(mark in text for mark in others)]


def said(talker: Talker) -> Iterator[str]:
    return (text for message in talker.drawn for _, text in texts(message))
