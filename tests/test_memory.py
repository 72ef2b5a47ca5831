"""b11, b12: what is remembered of a user: by owner, in the database, in every build; and gone when it is deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxcore.defaults import built_in_services
from ctxcore.services import Services
from tests.build import built, ids, problems, rules, system, user, words
from ui.sources.memory import StoredMemory
from ui.store import KeptStore
from ui.store.shelf import Thing

SECRET = "Allergic to Brazil nuts, quokka-4711."


@pytest.fixture
def store(tmp_path: Path):
    made = KeptStore(f"sqlite:///{(tmp_path / 'store.db').as_posix()}")
    yield made
    made.close()


def remembering(store: KeptStore, whose: str = "ann") -> Services:
    own = built_in_services()
    return Services(own.compressor, own.retriever, StoredMemory(store, whose))


def keep(store: KeptStore, name: str, text: str, whose: str = "ann", kind: str = "memory", rev: int = 0) -> None:
    store.keep(Thing(whose, kind, name, {"text": text}, rev))


def everything_on_disk(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()))


@pytest.mark.parametrize("name", ["gssc", "compiler", "raw"])
def test_b11_each_user_has_their_own_in_every_system(store: KeptStore, name: str) -> None:
    keep(store, "memory-a1", "Allergic to nuts.")
    keep(store, "profile-b2", "Prefers metric units.", kind="profile")
    keep(store, "memory-c3", "Has a dog.", whose="bob")
    trace = built([system(), user("Which nuts?")], system=name, services=remembering(store))
    assert {"memory-a1", "profile-b2"} <= set(ids(trace))
    assert "memory-c3" not in ids(trace)


def test_b12_the_most_relevant_stay_where_the_limit_is_small(store: KeptStore) -> None:
    for at in range(6):
        keep(store, f"memory-{at}", words(3, f"pond{at}"))
    keep(store, "memory-x", "The river is 20 metres wide.")
    trace = built([user("How wide is the river?")], services=remembering(store), limits={"notes": 30})
    assert "memory-x" in ids(trace)
    assert rules(trace, "select").count("cap") >= 5


def test_b12_the_injector_takes_the_best_lines_in_any_system(store: KeptStore) -> None:
    for at in range(4):
        keep(store, f"profile-{at}", words(1, f"pond{at}"), kind="profile")
    options = {"user-profile-injector.enabled": "on", "user-profile-injector.top_k": 1}
    trace = built([user("pond2?")], services=remembering(store), options=options)
    assert [one for one in ids(trace) if one.startswith("profile")] == ["profile-2"]
    assert rules(trace, "user-profile-injector").count("profile-rank") == 3


def test_b11_another_word_is_another_fingerprint(store: KeptStore) -> None:
    memory = StoredMemory(store, "ann")
    keep(store, "memory-a1", "one")
    first = memory.fingerprint
    keep(store, "memory-a1", "two", rev=1)
    assert memory.fingerprint != first


def test_b11_what_is_deleted_is_in_no_file_of_the_database(store: KeptStore, tmp_path: Path) -> None:
    keep(store, "memory-a1", SECRET)
    keep(store, "memory-b2", "stays " * 400)
    assert SECRET.encode() in everything_on_disk(tmp_path)
    store.erase("ann", "memory", "memory-a1")
    left = everything_on_disk(tmp_path)
    assert b"quokka-4711" not in left
    assert b"stays stays" in left


def test_b11_an_earlier_wording_is_gone_as_well(store: KeptStore, tmp_path: Path) -> None:
    keep(store, "memory-a1", SECRET)
    keep(store, "memory-a1", "No allergies.", rev=1)
    store.erase("ann", "memory", "memory-a1")
    assert b"quokka-4711" not in everything_on_disk(tmp_path)


def test_b15_a_database_that_cannot_be_read_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_bytes(b"no database at all" * 100)
    store = KeptStore(f"sqlite:///{(tmp_path / 'store.db').as_posix()}")
    trace = built([user()], services=remembering(store))
    assert ids(trace) == ["turn-0001"]
    assert store.trouble is not None
    assert problems(trace) == []
