"""The store: what goes in comes out, nothing is stored twice, nothing is lost, and every failure is told."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.store import ConflictError, DamagedError, KeptStore, Saved, Store, StoreError, Thing, pieces
from ui.store.pieces import decode, encode, put_together, take_apart
from ui.store.schema import MIGRATIONS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text() | st.text("\ud800\n\x00é中"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def scenario(turns: int = 3, **changes: object) -> dict[str, object]:
    messages = [{"role": "user", "content": f"message {n}"} for n in range(turns)]
    return {"schema": "ctxcore.scenario/1", "name": "chat", "messages": messages, **changes}


def url_of(folder: Path) -> str:
    return f"sqlite:///{(folder / 'made' / 'store.db').as_posix()}"


@pytest.fixture
def store(tmp_path: Path):
    store = Store(url_of(tmp_path))
    yield store
    store.close()


def rows(folder: Path, table: str) -> int:
    with sqlite3.connect(folder / "made" / "store.db") as connection:
        return connection.execute(f"select count(*) from {table}").fetchone()[0]


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=6))
def test_a_scenario_put_together_again_is_the_same(data):
    skeleton, bodies = take_apart(data)
    assert put_together(decode(encode(skeleton)), bodies) == data


def test_a_scenario_comes_back_as_it_was(store):
    given = scenario(state={"goal": "国际化 \ud83d"}, ids=["a", "b", "c"], pinned=[], extra=None)
    assert store.scenario("ann", store.put_scenario("ann", given)) == given


def test_editing_one_message_of_a_thousand_stores_one_text(store, tmp_path):
    given = scenario(turns=1000)
    store.put_scenario("ann", given)
    before = rows(tmp_path, "blobs")
    given["messages"][500] = {"role": "user", "content": "edited"}
    store.put_scenario("ann", given)
    assert rows(tmp_path, "blobs") == before + 1


def test_the_same_scenario_is_the_same_revision(store, tmp_path):
    assert store.put_scenario("ann", scenario()) == store.put_scenario("ann", scenario())
    assert rows(tmp_path, "revisions") == 1


def test_an_owner_does_not_see_what_another_one_has_stored(store):
    revision = store.put_scenario("ann", scenario())
    assert store.scenario("bob", revision) is None
    text = store.put_text("ann", "secret")
    with pytest.raises(DamagedError):
        store.text("bob", text)


def test_a_copy_gives_another_owner_scenario_and_texts(store):
    revision, text = store.put_scenario("ann", scenario()), store.put_text("ann", "edited")
    store.copy(revision, [text], ("ann", "bob"))
    store.copy(revision, [text], ("ann", "bob"))
    assert store.scenario("bob", revision) == scenario()
    assert store.text("bob", text) == "edited"


def test_a_save_must_name_the_rev_that_it_read(store):
    first = Saved("w1", "ann", 0, {"window": 8000})
    assert store.save(first) == 1
    assert store.save(Saved("w1", "ann", 1, {"window": 9000})) == 2
    for stale in (first, Saved("w1", "ann", 1, {}), Saved("w1", "bob", 2, {})):
        with pytest.raises(ConflictError):
            store.save(stale)
    assert store.load("w1") == Saved("w1", "ann", 2, {"window": 9000})


def test_latest_is_what_the_owner_changed_last(store):
    store.save(Saved("w1", "ann", 0, {}))
    store.save(Saved("w2", "ann", 0, {}))
    store.save(Saved("w1", "ann", 1, {"window": 1}))
    store.save(Saved("w3", "bob", 0, {}))
    assert store.latest("ann").id == "w1"
    assert store.latest("eve") is None


def test_a_newer_schema_is_refused_with_the_remedy(store, tmp_path):
    with sqlite3.connect(tmp_path / "made" / "store.db") as connection:
        connection.execute("insert into schema_version values (?)", (len(MIGRATIONS) + 1,))
    with pytest.raises(StoreError, match="update ctxcore"):
        Store(url_of(tmp_path))


def test_a_failed_migration_leaves_the_database_as_it_was(store, tmp_path, monkeypatch):
    def broken(connection):
        connection.exec_driver_sql("create table half (x)")
        connection.exec_driver_sql("no such statement")

    monkeypatch.setattr("ui.store.schema.MIGRATIONS", (*MIGRATIONS, broken))
    with pytest.raises(StoreError):
        Store(url_of(tmp_path))
    assert rows(tmp_path, "sqlite_master where name = 'half'") == 0
    assert rows(tmp_path, "schema_version") == len(MIGRATIONS)


def test_a_damaged_text_is_told_and_never_shown(store, tmp_path):
    revision = store.put_scenario("ann", scenario())
    with sqlite3.connect(tmp_path / "made" / "store.db") as connection:
        connection.execute("delete from blobs where rowid = 2")
    with pytest.raises(DamagedError, match="missing or damaged"):
        store.scenario("ann", revision)


@pytest.mark.parametrize(
    ("prepare", "says"),
    [
        (lambda file: file.write_text("this is no database " * 100), "no database"),
        (lambda file: file.mkdir(), "cannot be opened"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_the_remedy(tmp_path, prepare, says):
    file = tmp_path / "made" / "store.db"
    file.parent.mkdir()
    prepare(file)
    with pytest.raises(StoreError, match=says):
        Store(url_of(tmp_path))


@pytest.mark.parametrize("url", ["nonsense", "mysterydb://here/x"])
def test_an_address_that_is_none_is_told(url):
    with pytest.raises(StoreError, match="CTXCORE_DATABASE_URL"):
        Store(url)


def test_without_its_database_the_app_goes_on_and_writes_later(tmp_path):
    now = [0.0]
    (tmp_path / "made").write_text("a file where the folder should be")
    kept = KeptStore(url_of(tmp_path), clock=lambda: now[0])
    assert "cannot be" in str(kept.trouble) or "exists" in str(kept.trouble)
    revision, text = kept.put_scenario("ann", scenario()), kept.put_text("ann", "edited")
    rev = kept.save(Saved("w1", "ann", 0, {"window": 1}, revision))
    assert rev == 0
    assert kept.load("w1").settings == kept.latest("ann").settings == {"window": 1}
    assert kept.scenario("ann", revision) == scenario()
    assert kept.text("ann", text) == "edited"

    (tmp_path / "made").unlink()
    now[0] = 60
    assert kept.save(Saved("w2", "ann", 0, {})) == 1
    assert kept.trouble is None
    kept.close()
    store = Store(url_of(tmp_path))
    assert store.load("w1").scenario_rev == revision
    assert store.scenario("ann", revision) == scenario()
    assert store.text("ann", text) == "edited"


def test_a_locked_database_is_told_and_used_again(tmp_path, monkeypatch):
    monkeypatch.setattr("ui.store.engine.BUSY_MS", 50)
    now = [0.0]
    kept = KeptStore(url_of(tmp_path), clock=lambda: now[0])
    other = sqlite3.connect(tmp_path / "made" / "store.db", isolation_level=None)
    other.execute("begin immediate")
    assert kept.save(Saved("w1", "ann", 0, {"window": 1})) == 0
    assert "locked" in str(kept.trouble)
    other.execute("rollback")
    now[0] = 60
    assert kept.save(Saved("w1", "ann", 0, {"window": 2})) == 1
    assert kept.trouble is None


def test_a_full_disk_is_told(tmp_path, monkeypatch):
    def set_up(connection, record):
        connection.isolation_level = None
        connection.execute("pragma max_page_count = 20")

    monkeypatch.setattr("ui.store.engine._set_up", set_up)
    store = Store(url_of(tmp_path))
    with pytest.raises(StoreError, match="disk is full"):
        store.put_text("ann", os.urandom(200_000).hex())
    assert store.save(Saved("w1", "ann", 0, {})) == 1
    store.close()


def test_a_database_that_cannot_be_written_is_told(store, tmp_path):
    read_only = Store(url_of(tmp_path).replace("sqlite:///", "sqlite:///file:") + "?mode=ro&uri=true")
    with pytest.raises(StoreError, match="read-only"):
        read_only.put_text("ann", "x")
    read_only.close()


WRITER = """
import sys
from ui.store import Saved, Store
store = Store(sys.argv[1])
for n in range(1_000_000):
    store.put_scenario("ann", {"name": "x", "messages": [{"content": f"{n} " * 200}]})
    store.save(Saved("w1", "ann", n, {"n": n}))
    print(n, flush=True)
"""


def test_a_killed_process_loses_nothing_that_it_had_saved(tmp_path):
    writer = subprocess.Popen([sys.executable, "-c", WRITER, url_of(tmp_path)], stdout=subprocess.PIPE, text=True)
    last = -1
    for line in writer.stdout:
        last = int(line)
        if last == 20:
            time.sleep(0.003)  # somewhere inside a transaction
            os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    with sqlite3.connect(tmp_path / "made" / "store.db") as connection:
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
    assert Store(url_of(tmp_path)).load("w1").settings["n"] in (last, last + 1)


def test_a_thing_is_kept_by_kind_and_name_and_only_its_owner_sees_it(store):
    kept = Thing("ann", "curve", "mine", {"ys": [0.9, 0.5]}, tags=("local",), note="first")
    assert store.keep(kept) == 1
    store.keep(replace(kept, kind="preset"))
    found = store.thing("ann", "curve", "mine")
    assert (found.body, found.rev, found.tags, found.note) == (kept.body, 1, ("local",), "first")
    assert [thing.kind for thing in store.things("ann", "curve")] == ["curve"]
    assert len(store.things("ann")) == 2
    assert store.things("bob") == ()


def test_of_two_who_change_a_thing_neither_loses_work_unsaid(store):
    thing = Thing("ann", "preset", "tight", {"docs": "10%"})
    store.keep(thing)
    read = store.thing("ann", "preset", "tight")
    store.keep(replace(read, body={"docs": "20%"}))
    with pytest.raises(ConflictError, match="tight"):
        store.keep(replace(read, body={"docs": "30%"}))
    with pytest.raises(ConflictError):
        store.keep(thing)
    assert store.thing("ann", "preset", "tight").body == {"docs": "20%"}


def test_the_trash_gives_back_what_was_not_erased(store):
    store.keep(Thing("ann", "preset", "tight", {}))
    store.throw_away("ann", "preset", "tight")
    assert store.things("ann") == ()
    assert [thing.name for thing in store.things("ann", trashed=True)] == ["tight"]
    store.restore("ann", "preset", "tight")
    assert [thing.name for thing in store.things("ann")] == ["tight"]
    store.erase("ann", "preset", "tight")
    assert store.thing("ann", "preset", "tight") is None


def test_an_older_database_gets_the_table_of_things(tmp_path):
    Store(url_of(tmp_path)).close()
    with sqlite3.connect(tmp_path / "made" / "store.db") as connection:
        connection.execute("drop table things")
        connection.execute("delete from schema_version where version > 1")
    store = Store(url_of(tmp_path))
    assert store.keep(Thing("ann", "preset", "tight", {})) == 1
    store.close()


def test_a_thing_kept_while_the_database_is_away_is_written_later(tmp_path):
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "store.db").mkdir()  # in the way of the file
    clock = [0.0]
    kept = KeptStore(url_of(tmp_path), lambda: clock[0])
    assert kept.trouble
    assert kept.keep(Thing("ann", "curve", "mine", {"ys": []})) == 0
    assert [thing.name for thing in kept.things("ann", "curve")] == ["mine"]
    (tmp_path / "made" / "store.db").rmdir()
    clock[0] = 60
    kept.save(Saved("w", "ann", 0, {}))
    kept.close()
    again = Store(url_of(tmp_path))
    assert again.thing("ann", "curve", "mine").rev == 1
    again.close()


def test_short_and_long_pieces_come_back_and_those_of_older_databases_do() -> None:
    for text in ("", "x", "xx\u4e00", "x" * 600, "\ud800" * 300):
        body = pieces.encode(text)
        assert pieces.decode(pieces.unpack(pieces.pack(body))) == text
        assert pieces.unpack(zlib.compress(body, level=1)) == body  # all were compressed once
    assert pieces.pack(pieces.encode("x" * 100)) == pieces.encode("x" * 100)
