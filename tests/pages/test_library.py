"""The library: what is kept is found, opened, described, thrown away and brought back; prompts; all as one file."""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from ctxcore.errors import InputError
from ctxcore.pipeline import Pipeline
from ctxcore.scenario import Scenario
from tests.build import user
from tests.pages.test_pages import opened, said
from ui.library import bundle
from ui.library.checking import CHECKS
from ui.library.finding import free_name
from ui.library.kinds import KINDS
from ui.library.taking import take
from ui.store import KeptStore, Thing
from ui.tune import presets
from ui.workspace.workspace import Workspace

LIBRARY, PLAYGROUND, SOURCES = "pages/show/library.py", "pages/debug/playground.py", "pages/debug/sources.py"


@pytest.fixture
def store():
    store = KeptStore(os.environ["CTXCORE_DATABASE_URL"])
    yield store
    store.close()


def filled(store: KeptStore, owner: str = "local") -> list[Thing]:
    """One thing of every kind but a curve, with everything that it names."""
    scenario = Scenario.from_messages([user("Where is the key?"), user("And now? \ud83d")], name="keys")
    revision, text = store.put_scenario(owner, scenario.to_json()), store.put_text(owner, "edited")
    edits = ({"stage": "gather", "item": "turn-0001", "text": text},)
    work = Workspace(scenario="keys", revision=revision, imported=revision, edits=edits, window=6_000).to_plain()
    numbers = {"total": 10, "room": 5_500, "items": 2, "of": 2}
    documents = [{"title": "a", "text": "b"}]
    base = {"schema": "ctxcore.knowledge/1", "name": "facts", "documents": documents, "questions": []}
    sides = {"first": "a", "second": "b", "other_total": 9}
    bodies = {
        ("scenario", "keys"): {"revision": revision, "messages": 2, "records": 0},
        ("run", "my run"): {"workspace": work, **numbers},
        ("comparison", "a | b"): {"workspace": work, **numbers, **sides},
        ("prompt", "keys v1"): {"system": "Be brief.", "tools": [], "tokens": 3},
        ("pipeline", "mine"): Pipeline("mine", stages=("gather", "select", "construct")).to_json(),
        ("budget", "tight"): presets.budget_of(Workspace(window=5_000, limits={"docs": "10%"})),
        ("knowledge", "facts"): {"revision": store.put_scenario(owner, base), "documents": 1},
    }
    things = [Thing(owner, kind, name, body) for (kind, name), body in bodies.items()]
    things[0] = replace(things[0], tags=("demo",), note="first")
    for thing in things:
        store.keep(thing)
    return things


def names(at: AppTest) -> list[str]:
    return [button.label for button in at.button if (button.key or "").startswith("library.open.")]


def press(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


def test_an_empty_library_says_what_to_do():
    at = opened(LIBRARY)
    assert "Nothing is kept yet" in at.markdown[0].value
    assert said(at) == []


def test_every_kind_is_listed_found_and_opened(store):
    things = filled(store)
    at = opened(LIBRARY)
    assert len(names(at)) == len(things)
    for word, found in (("keys", 4), ("#demo", 1), ("nowhere", 0)):
        at.text_input(key="library.find").set_value(word).run()
        assert len(names(at)) == found, word
    at.text_input(key="library.find").set_value("").run()
    for thing in things:
        at.switch_page(LIBRARY).run()
        press(at, f"library.open.{thing.kind}.{thing.name}")
        assert said(at) == []
        assert thing.name in at.toast[0].value.replace("\\", "")


def test_a_kept_run_opens_as_it_was_and_undo_brings_back_what_was_there(store):
    filled(store)
    at = opened(LIBRARY, scenario="support-chat", window="4000")
    press(at, "library.open.run.my run")
    now = at.session_state["_settings"]
    assert (now["scenario"], now["window"], len(now["edits"])) == ("keys", 6_000, 1)
    at.button(key="frame.undo").click().run()
    now = at.session_state["_settings"]
    assert (now["scenario"], now["window"]) == ("support-chat", 4_000)


def test_a_thing_is_renamed_tagged_duplicated_thrown_away_and_restored(store):
    filled(store)
    at = press(opened(LIBRARY), "library.more.budget.tight")
    at.text_input(key="library.name.budget.tight").set_value("narrow")
    at.text_input(key="library.tags.budget.tight").set_value("#a, b")
    press(at, "library.save.budget.tight")
    assert store.thing("local", "budget", "narrow").tags == ("a", "b")
    press(at, "library.copy.budget.narrow")
    assert "narrow 2" in names(at)
    press(at, "library.trash.budget.narrow 2")
    assert "narrow 2" not in names(at)
    at.session_state["library.kind"] = "trash"
    press(at.run(), "library.restore.budget.narrow 2")
    assert store.thing("local", "budget", "narrow 2").trashed is None


def test_versions_of_a_prompt_are_kept_switched_and_compared(store):
    at = opened(SOURCES, scenario="support-chat")
    first = at.text_area[0].value
    store.keep(Thing("local", "prompt", "short", {"system": "Be brief.", "tools": [], "tokens": 3}))
    at.run()
    version = next(box for box in at.selectbox if "version" in box.key)
    assert version.value is None
    version.select("short").run()
    assert at.text_area[0].value == "Be brief."
    assert next(box for box in at.selectbox if "version" in box.key).value == "short"
    at.button(key="frame.undo").click().run()
    assert at.text_area[0].value == first
    press(at.switch_page(LIBRARY).run(), "library.more.prompt.short")
    press(at, "library.prompt.both")
    other = at.session_state["_settings"]["other"]
    kept = Scenario.from_json(store.scenario("local", other["revision"]))
    assert kept.messages[0]["content"] == "Be brief."
    assert said(at) == []


def test_everything_goes_into_one_file_and_comes_out_of_it_elsewhere(store, tmp_path):
    things = filled(store)
    data = bundle.write(store.things("local"), store)
    assert bundle.write(store.things("local"), store) == data
    other = KeptStore(f"sqlite:///{tmp_path / 'other.db'}")
    taken = take(bundle.unpacked(data), other, "ann")
    assert (sorted(taken.new), taken.refused) == (sorted(thing.name for thing in things), [])
    for thing in things:
        assert other.thing("ann", thing.kind, thing.name).body == store.thing("local", thing.kind, thing.name).body
    revision = other.thing("ann", "scenario", "keys").body["revision"]
    assert other.scenario("ann", revision) == store.scenario("local", revision)
    again = take(bundle.unpacked(data), other, "ann")
    assert (again.new, len(again.same)) == ([], len(things))
    other.keep(replace(other.thing("ann", "prompt", "keys v1"), body={"system": "x", "tools": [], "tokens": 1}))
    assert take(bundle.unpacked(data), other, "ann").renamed == [("keys v1", "keys v2")]
    other.close()


def zipped(files: dict[str, object]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for place, value in files.items():
            file.writestr(place, value if isinstance(value, bytes) else json.dumps(value))
    return packed.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no zip",
        zipped({}),
        zipped({"library.json": {"schema": "other"}}),
        zipped({"library.json": b"{"}),
        zipped({"../../etc/passwd": "x", "library.json": {"schema": bundle.SCHEMA, "things": []}}),
        zipped({"library.json": {"schema": bundle.SCHEMA, "things": {}}}),
        zipped({"library.json": b"[" * 100_000}),
        zipped({"library.json": {"schema": bundle.SCHEMA, "things": [{}] * 10_001}}),
        zipped({"library.json": {"schema": bundle.SCHEMA, "things": []}})[:-30],
    ],
)
def test_what_is_no_library_is_refused_in_one_line(data):
    with pytest.raises(InputError) as told:
        bundle.unpacked(data)
    assert "\n" not in str(told.value)


def test_a_file_that_unpacks_to_more_than_is_taken_in_is_refused_unread(monkeypatch):
    monkeypatch.setattr(bundle, "MOST_UNPACKED", 1_000)
    data = zipped({"library.json": {"schema": bundle.SCHEMA, "things": [], "x": "0" * 2_000}})
    with pytest.raises(InputError, match="more than is taken in"):
        bundle.unpacked(data)


@pytest.mark.parametrize("kind", CHECKS)
@pytest.mark.parametrize(
    "body",
    [None, [], {}, {"revision": "../x"}, {"workspace": {"edits": [1]}}, {"system": 1, "tools": [1], "tokens": "x"}],
)
def test_a_damaged_thing_is_refused_and_the_others_are_taken(store, kind, body):
    good = {"kind": "prompt", "name": "good", "body": {"system": "x", "tools": [], "tokens": 1}}
    rows = [{"kind": kind, "name": "bad", "body": body}, good, {"kind": "virus", "name": "z"}, {"kind": "prompt"}, 7]
    found = bundle.unpacked(zipped({"library.json": {"schema": bundle.SCHEMA, "things": rows}}))
    taken = take(found, store, "ann")
    assert "good" in taken.new
    if kind not in ("budget", "run", "comparison") or body is None:
        assert "bad" in [name for name, _ in taken.refused]


def test_a_text_that_was_changed_after_the_export_is_refused(store):
    filled(store)
    with zipfile.ZipFile(io.BytesIO(bundle.write(store.things("local"), store))) as file:
        files = {name: json.loads(file.read(name)) for name in file.namelist()}
    scenario = next(name for name in files if name.startswith("scenarios/") and "messages" in files[name])
    files[scenario]["messages"][0]["content"] = "something else"
    taken = take(bundle.unpacked(zipped(files)), store, "ann")
    assert {name for name, why in taken.refused if "changed after" in why} == {"keys", "my run", "a | b"}


def test_names_that_are_taken_get_a_number():
    assert free_name("a", []) == "a"
    assert free_name("a", ["a", "a 2"]) == "a 3"
    assert free_name("chat v1", ["chat v1", "chat v2"]) == "chat v3"


def test_every_kind_can_be_checked_and_opened():
    assert CHECKS.keys() == KINDS.keys()


def test_a_workspace_of_before_is_opened_in_one_click() -> None:
    opened(PLAYGROUND, scenario="coding-agent", window="9000").button(key="quick.32000").click().run()
    at = opened(LIBRARY, scenario="support-chat")
    (recent,) = [button for button in at.button if str(button.key).startswith("library.recent.")][:1]
    recent.click().run()
    assert said(at) == []
