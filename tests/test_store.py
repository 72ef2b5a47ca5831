"""The store: what goes in comes out, nothing is stored twice, nothing is lost, and every failure is told."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from ctxcore import Scenario
from ctxcore.importing.scenario_file import lent
from ui.store import ConflictError, DamagedError, KeptStore, Saved, Store, StoreError, Thing, pieces
from ui.store.engine import make_engine
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
def store(database: str):
    store = Store(database)
    yield store
    store.close()


@pytest.fixture
def in_file(tmp_path: Path):
    """A store of SQLite, for what is about its file."""
    store = Store(url_of(tmp_path))
    yield store
    store.close()


def ask(url: str, statement: str) -> list:
    engine = make_engine(url)
    with engine.begin() as connection:
        answer = connection.execute(sa.text(statement))
        found = list(answer) if answer.returns_rows else []
    engine.dispose()
    return found


def rows(url: str, table: str) -> int:
    return ask(url, f"select count(*) from {table}")[0][0]


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=6))
def test_a_scenario_put_together_again_is_the_same(data):
    skeleton, bodies = take_apart(data)
    assert put_together(decode(encode(skeleton)), bodies) == data


def test_a_scenario_comes_back_as_it_was(store):
    given = scenario(state={"goal": "国际化 \ud83d"}, ids=["a", "b", "c"], pinned=[], extra=None)
    assert store.scenario("ann", store.put_scenario("ann", given)) == given


def test_what_a_scenario_lends_is_stored_as_its_json_is(store):
    whole = Scenario.from_json(scenario(state={"goal": "x"}, pinned=["turn-0001"], extra={"a": [1, {"b": None}]}))
    revision = store.put_scenario("ann", lent(whole))
    assert revision == store.put_scenario("ann", whole.to_json())
    assert store.scenario("ann", revision) == whole.to_json()


def test_editing_one_message_of_a_thousand_stores_one_text(store, database):
    given = scenario(turns=1000)
    store.put_scenario("ann", given)
    before = rows(database, "blobs")
    given["messages"][500] = {"role": "user", "content": "edited"}
    store.put_scenario("ann", given)
    assert rows(database, "blobs") == before + 1


def test_the_same_scenario_is_the_same_revision(store, database):
    assert store.put_scenario("ann", scenario()) == store.put_scenario("ann", scenario())
    assert rows(database, "revisions") == 1


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


def test_a_newer_schema_is_refused_with_the_remedy(store, database):
    ask(database, f"insert into schema_version values ({len(MIGRATIONS) + 1})")
    with pytest.raises(StoreError, match="update ctxcore"):
        Store(database)


def test_a_failed_migration_leaves_the_database_as_it_was(store, database, monkeypatch):
    def broken(connection):
        connection.exec_driver_sql("create table half (x)")
        connection.exec_driver_sql("no such statement")

    monkeypatch.setattr("ui.store.schema.MIGRATIONS", (*MIGRATIONS, broken))
    with pytest.raises(StoreError):
        Store(database)
    assert not sa.inspect(store._engine).has_table("half")
    assert rows(database, "schema_version") == len(MIGRATIONS)


def test_a_damaged_text_is_told_and_never_shown(store, database):
    revision = store.put_scenario("ann", scenario())
    ask(database, "delete from blobs where hash = (select hash from blobs limit 1)")
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


def test_a_database_that_cannot_be_written_is_told(in_file, tmp_path):
    read_only = Store(url_of(tmp_path).replace("sqlite:///", "sqlite:///file:") + "?mode=ro&uri=true")
    with pytest.raises(StoreError, match="read-only"):
        read_only.put_text("ann", "x")
    read_only.close()


# One process imports, then forks a writer for each kill: it says what is saved, and is killed while it goes on.
KILLER = """
import os, random, signal, sys
from ui.store import Saved, Store

def write(out):
    store = Store(sys.argv[1])
    for n in range(1_000_000):
        mine = store.load("w1")
        messages = [{"content": f"{n} {k} " * 200} for k in range(3)]
        revision = store.put_scenario("ann", {"name": "x", "messages": messages})
        rev = store.save(Saved("w1", "ann", mine.rev if mine else 0, {"n": n, "of": os.getpid()}, revision))
        os.write(out, b"%d\\n" % rev)

random.seed(7)
for kill in range(int(sys.argv[2])):
    read, out = os.pipe()
    child = os.fork()
    if not child:
        write(out)
    os.close(out)
    with os.fdopen(read) as said:
        for _ in range(random.randint(1, 4)):
            last = int(said.readline())
        for _ in range(random.randint(0, 200_000)):  # somewhere inside the next transactions
            pass
        os.kill(child, signal.SIGKILL)
        last = max([last, *map(int, said)])
    os.waitpid(child, 0)
    store = Store(sys.argv[1])
    saved = store.load("w1")
    whole = store.scenario("ann", saved.scenario_rev)
    assert saved.rev in (last, last + 1), (saved.rev, last)
    assert len(whole["messages"]) == 3 and whole["messages"][0]["content"].startswith(str(saved.settings["n"]))
    store.close()
print("sound")
"""


@pytest.mark.parametrize("kills", [6, pytest.param(300, marks=pytest.mark.deep)])
def test_a_killed_process_loses_nothing_that_it_had_saved(database, kills):
    done = subprocess.run([sys.executable, "-c", KILLER, database, str(kills)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("sound\n", "")
    if database.startswith("sqlite"):
        assert ask(database, "pragma integrity_check") == [("ok",)]


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


def test_what_is_erased_takes_its_texts_along_but_not_those_that_others_name(store, database):
    one, other = store.put_scenario("ann", scenario(turns=3)), store.put_scenario("ann", scenario(turns=2, name="b"))
    theirs, text = store.put_scenario("bob", scenario(turns=3)), store.put_text("ann", "edited")
    store.keep(Thing("ann", "run", "a", {"workspace": {"revision": one, "edits": [{"text": text}]}}))
    store.keep(Thing("ann", "run", "b", {"workspace": {"revision": other}}))
    store.erase("ann", "run", "a")
    assert store.scenario("ann", one) is None
    assert store.scenario("ann", other) == scenario(turns=2, name="b")
    assert store.scenario("bob", theirs) == scenario(turns=3)
    with pytest.raises(DamagedError):
        store.text("ann", text)
    for keeper in ("workspace", "share"):
        store.keep(Thing("ann", "run", "c", {"revision": other}))
        if keeper == "workspace":
            store.erase("ann", "run", "b")
            store.save(Saved("w1", "ann", 0, {"history": [{"before": {"revision": other}}]}))
        else:
            store.share("ann", {"workspace": {"revision": other}})
            store.save(Saved("w1", "ann", 1, {}))
        store.erase("ann", "run", "c")
        assert store.scenario("ann", other) == scenario(turns=2, name="b")
    assert rows(database, "blobs where owner = 'ann'") == 2


FIRST = (  # the tables of the first release
    "create table schema_version (version integer primary key)",
    "create table workspaces (id varchar(40) primary key, owner varchar(64) not null, rev integer not null, "
    "settings json not null, scenario_rev varchar(64) not null, updated float not null)",
    "insert into schema_version values (1)",
    "insert into workspaces values ('w1', 'ann', 3, '{\"window\": 8000}', '', 1.5)",
)


def test_a_database_of_the_first_release_is_brought_up_and_keeps_what_it_holds(database, tmp_path):
    (tmp_path / "made").mkdir()
    for statement in FIRST:
        ask(database, statement)
    store = Store(database)
    assert store.load("w1") == Saved("w1", "ann", 3, {"window": 8000})
    assert store.save(Saved("w2", "ann", 0, {}, parent="w1")) == store.keep(Thing("ann", "preset", "tight", {})) == 1
    assert store.news("w1") == (3, {"w2": "ann"})
    store.close()
    Store(database).close()
    assert rows(database, "schema_version") == len(MIGRATIONS)


def test_a_link_gives_what_was_shared_and_the_same_view_has_the_same_link(store):
    view = {"v": 1, "workspace": {"window": 8000, "scenario": "é\ud83d\0"}}
    id = store.share("ann", view)
    assert store.share("ann", view) == id != store.share("ann", {**view, "v": 2})
    assert store.shared(id).body == view
    assert store.shared(id).owner == "ann"
    assert store.shared("\0\ud800") is None


def test_what_has_a_name_can_be_renamed_but_not_over_another(store):
    store.keep(Thing("ann", "preset", "tight", {"docs": "10%"}, tags=("a",), note="n"))
    store.keep(Thing("ann", "preset", "wide", {}))
    store.rename("ann", "preset", "tight", "narrow")
    assert store.thing("ann", "preset", "narrow").tags == ("a",)
    with pytest.raises(ConflictError, match="wide"):
        store.rename("ann", "preset", "narrow", "wide")


def test_any_name_can_be_kept(store):
    for name in ("a\0", "b\ud83d", "x" * 300, "'; drop table things; --"):
        store.keep(Thing("ann", "preset", name, {"text": name}, note=name))
        assert store.thing("ann", "preset", name).body == {"text": name}
    assert store.load("\0") is None


def test_servers_that_start_and_write_at_once_agree(database):
    """Four servers on one database: each migrates, and all store the same scenario and the same thing."""
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: Store(database), range(4)))
        found = set(pool.map(lambda one: one.put_scenario("ann", scenario(turns=60)), stores))
        kept = list(pool.map(lambda one: _kept(one, Thing("ann", "preset", "tight", {})), stores))
    assert len(found) == 1
    assert sorted(kept) == [False, False, False, True]
    assert rows(database, "revisions") == 1
    for one in stores:
        one.close()


def _kept(store: Store, thing: Thing) -> bool:
    try:
        return store.keep(thing) == 1
    except ConflictError:
        return False


def test_a_server_that_does_not_answer_is_told_without_the_password():
    with pytest.raises(StoreError, match="no server answers") as told:
        Store("postgres://app:secret@127.0.0.1:1/app")
    assert "secret" not in str(told.value)


def test_what_lies_in_the_trash_is_not_written_over(store):
    store.keep(Thing("ann", "preset", "tight", {"docs": "10%"}))
    store.throw_away("ann", "preset", "tight")
    store.keep(replace(store.thing("ann", "preset", "tight"), body={"docs": "20%"}))
    assert store.thing("ann", "preset", "tight").body == {"docs": "20%"}
    (old,) = store.things("ann", trashed=True)
    assert (old.body, old.name[:8]) == ({"docs": "10%"}, "tight · ")
    store.restore("ann", "preset", old.name)
    assert len(store.things("ann")) == 2


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
