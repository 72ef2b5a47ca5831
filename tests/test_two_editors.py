"""Two tabs or two people on one workspace: nobody's work is lost, and both are told. Links open what was shared."""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64encode
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from ui.store import Saved, Store
from ui.workspace import history, link, opening
from ui.workspace.merging import CannotMergeError, merged
from ui.workspace.workspace import VIEW_FIELDS, Workspace

ROOT = Path(__file__).parents[1]
START = Workspace(scenario="support-chat", window=4_000, limits={"docs": "25%"}, pins=("turn-0001",))


def body(workspace: Workspace = START, done=None, **changes) -> dict:
    return opening.body_of(replace(workspace, **changes), {}, done or history.empty())


def both(mine: dict, theirs: dict) -> Workspace:
    return Workspace.from_plain(merged(body(), body(**mine), body(**theirs))[0]["workspace"])


def test_changes_of_different_things_are_both_kept():
    found = both({"window": 9_000, "pins": ("turn-0001", "turn-0004")}, {"reserve": 100, "pins": ("turn-0009",)})
    assert (found.window, found.reserve, set(found.pins)) == (9_000, 100, {"turn-0004", "turn-0009"})
    found = both({"limits": {"docs": "10%"}}, {"limits": {"docs": "25%", "history": "900"}})
    assert found.limits == {"docs": "10%", "history": "900"}


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({"window": 9_000}, {"window": 5_000}),
        ({"limits": {"docs": "10%"}}, {"limits": {"docs": "30%"}}),
        ({"limits": {}}, {"limits": {"docs": "30%"}}),
        ({"window": 9_000}, {"scenario": "retention-analysis"}),
        ({"system": "raw"}, {"limits": {"docs": "30%"}}),
    ],
)
def test_changes_of_the_same_thing_are_not_mixed(mine, theirs):
    with pytest.raises(CannotMergeError):
        both(mine, theirs)


def test_where_one_looks_is_ones_own_and_what_the_other_did_can_be_undone():
    done = history.with_step(history.empty(), ("reserve", {}), {"reserve": None}, {"reserve": 100})
    found, taken = merged(body(), body(window=9_000, stage="select"), body(reserve=100, stage="gather", done=done))
    assert taken == ["reserve"]
    assert found["workspace"]["stage"] == "select"
    assert found["generations"] == {"reserve": 1}
    assert [step["after"] for step in found["history"]["steps"]] == [{"reserve": 100}, {"window": 9_000}]


FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "window": st.sampled_from([4_000, 5_000]),
        "reserve": st.sampled_from([None, 100]),
        "limits": st.dictionaries(st.sampled_from(["docs", "history"]), st.sampled_from(["10%", "25%"])),
        "pins": st.lists(st.sampled_from(["turn-0001", "turn-0002"]), unique=True).map(tuple),
        "priorities": st.dictionaries(st.sampled_from(["a", "b"]), st.integers(1, 3)),
    },
)


@given(FIELDS, FIELDS)
def test_who_saves_first_makes_no_difference_to_what_is_kept(mine, theirs):
    try:
        one = both(mine, theirs)
    except CannotMergeError:
        with pytest.raises(CannotMergeError):
            both(theirs, mine)
        return
    other = both(theirs, mine)
    for name in set(Workspace().to_plain()) - VIEW_FIELDS - {"pins"}:
        assert getattr(one, name) == getattr(other, name)
    assert set(one.pins) == set(other.pins)


def opened(**query: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params.update(query)
    return at.run()


def set_reserve(at: AppTest, value: int) -> AppTest:
    return next(each for each in at.number_input if "reserve" in each.key).set_value(value).run()


def set_window(at: AppTest, size: int) -> AppTest:
    return at.button(key=f"quick.{size}").click().run()


def now(at: AppTest) -> dict:
    return at.session_state["_settings"]


def told(at: AppTest) -> str:
    return " ".join(toast.value for toast in at.toast)


@pytest.fixture
def shared_database(database, monkeypatch) -> str:
    monkeypatch.setenv("CTXCORE_DATABASE_URL", database)
    return database


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_two_sessions_change_different_things_and_both_have_both(shared_database):
    first = set_window(opened(scenario="support-chat"), 8_000)
    id = first.session_state["_tab"]["id"]
    second = set_reserve(opened(ws=id), 300)
    set_window(first, 32_000)
    assert (now(first)["window"], now(first)["reserve"]) == (32_000, 300)
    assert "reserve" in told(first)
    second.run()
    assert (now(second)["window"], now(second)["reserve"]) == (32_000, 300)
    assert "window" in told(second)
    store = Store(shared_database)
    assert store.load(id).settings["workspace"]["window"] == 32_000
    store.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_two_sessions_change_the_same_and_both_stay_and_are_told(shared_database):
    first = set_window(opened(scenario="support-chat"), 8_000)
    id = first.session_state["_tab"]["id"]
    second = opened(ws=id)
    store = Store(shared_database)
    saved = store.load(id)  # another server saves between the second one's look and its change
    changed = {**saved.settings, "workspace": {**saved.settings["workspace"], "window": 5_000}}
    store.save(type(saved)(id, saved.owner, saved.rev, changed))
    set_window(second, 32_000)
    assert now(second)["window"] == 32_000
    assert "copy" in told(second)
    copy = second.session_state["_tab"]["id"]
    assert (store.load(copy).settings["workspace"]["window"], store.load(copy).parent) == (32_000, id)
    first.run()
    assert now(first)["window"] == 5_000
    assert "copy" in told(first)
    store.close()


def test_whose_workspace_was_opened_by_somebody_else_is_told_once():
    at = set_window(opened(scenario="support-chat"), 8_000)
    store = Store(os.environ["CTXCORE_DATABASE_URL"])
    store.save(Saved("copy", "bob", 0, {}, parent=at.session_state["_tab"]["id"]))
    store.close()
    at.run()
    assert "Somebody opened a copy" in told(at.run())
    assert told(at.run()) == ""


def test_a_small_link_opens_the_same_view_and_holds_no_text():
    changed = {"window": 5_000, "limits": {"docs": "10%"}, "stage": "select", "view": "layout"}
    given = Workspace(scenario="retention-analysis", **changed)
    at = opened(state=link.write(given))
    assert {name: now(at)[name] for name in changed} == changed
    assert now(at)["scenario"] == "retention-analysis"
    assert "state" not in at.query_params
    assert at.query_params["ws"]
    assert link.write(Workspace(scenario="mine", revision="abc")) is None


# Links as they were given out once: they open for ever.
GIVEN_OUT = "eyJ2IjoxLCJzeXN0ZW0iOiJjb21waWxlciIsInZhcmlhbnQiOiJyZXBhaXJlZCIsIm1vZGVsIjoiZ3B0LTRvIiwid2luZG93Ijo2MDAwLCJsaW1pdHMiOnsiaGlzdG9yeSI6IjQwJSJ9LCJzY2VuYXJpbyI6InN1cHBvcnQtY2hhdCIsInBpbnMiOlsidHVybi0wMDA0Il19"  # noqa: E501


def test_links_that_were_given_out_open_today():
    at = opened(state=GIVEN_OUT)
    assert (now(at)["system"], now(at)["window"], now(at)["pins"]) == ("compiler", 6_000, ["turn-0004"])
    at = opened(scenario="support-chat", system="layered", window="9000", stage="recall")
    assert (now(at)["system"], now(at)["window"], now(at)["stage"]) == ("layered", 9_000, "recall")


@given(st.text(max_size=80))
def test_any_text_as_a_link_is_told_and_harms_nothing(text):
    found = link.read(text)
    assert found is None or isinstance(found[1], list)


VAIN = (
    {"v": 1, "system": "nonsense", "limits": {"docs": "x"}, "pins": [1], "view": "<b>", "priorities": {"a": 99}},
    {"v": 1, "window": -5, "stages": ["no-such"], "options": {"x.y": 1}, "other": {"system": "none"}},
    {"v": 9, "scenario": "../../etc/passwd", "unheard": 1},
)


def test_what_a_link_asks_for_in_vain_is_left_out_and_named():
    for given_ in VAIN:
        changes, refused = link.read(urlsafe_b64encode(json.dumps(given_).encode()).decode())
        assert refused
        assert Workspace(**{**changes, "scenario": ""}).system == "gssc"
    every = {name: value for given_ in VAIN for name, value in given_.items()}
    at = opened(state=urlsafe_b64encode(json.dumps(every).encode()).decode())
    assert not at_fault(at)
    assert "unheard" in told(at)


def at_fault(at: AppTest) -> list[str]:
    return [each.value for each in at.exception]


def test_a_shared_view_opens_as_a_copy_with_its_texts_and_stays_as_it_was():
    at = opened(scenario="support-chat").switch_page("pages/debug/sources.py").run()
    at.text_area[1].set_value("What now?").run()
    mine = Workspace.from_plain(now(at))
    store = Store(os.environ["CTXCORE_DATABASE_URL"])
    work = at.session_state["_tab"]["id"]
    id = store.share("local", link.share(mine, work))
    at.text_area[1].set_value("Something else").run()
    seen = opened(share=id).switch_page("pages/debug/sources.py").run()
    assert seen.text_area[1].value == "What now?"
    assert seen.session_state["_tab"]["id"] != at.session_state["_tab"]["id"]
    assert store.load(seen.session_state["_tab"]["id"]).parent == work
    lost = opened(share="nothing")
    assert "link" in told(lost)
    store.close()
