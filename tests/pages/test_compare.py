"""Compare: every demonstration opens by link on both sides, the second side is chosen, and a link shows it again."""

from __future__ import annotations

import pytest

from ctxcore import build
from ctxcore.comparing.comparison import Comparison
from ctxcore.comparing.demos import DEMOS
from tests.pages.test_pages import opened, said
from ui.compare import sides
from ui.runs import settings_of
from ui.sources import shipped
from ui.workspace.opening import as_shipped
from ui.workspace.workspace import Workspace

PAGE = "pages/debug/compare.py"


LONG = {"caps-never-scale", "compressed-without-need"}


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.deep] if n in LONG else []) for n in DEMOS])
def test_the_app_shows_a_demonstration_as_it_is_meant(name):
    demo = DEMOS[name]
    left = sides.as_demo(as_shipped(Workspace(), demo.sources().name), name)
    right = sides.second(left)
    first, second = (build(shipped.shipped(side.scenario), settings_of(side)) for side in (left, right))
    assert demo.shows(first, second)


@pytest.mark.parametrize("name", ["caps-stay", pytest.param("one-misfit-ends-all", marks=pytest.mark.deep)])
def test_a_link_opens_a_demonstration(name):
    at = opened(PAGE, demo=name)
    assert said(at) == []
    assert at.session_state["_settings"]["demo"] == name
    assert DEMOS[name].see("en")[:12] in at.info[0].value.replace("\\", "")


@pytest.mark.parametrize("scenario", ["support-chat", "with-images"])
def test_layout_tells_the_recall_that_compare_tells(scenario):
    at = opened(PAGE, scenario=scenario, window="8000")
    trace = build(shipped.shipped(scenario), settings_of(Workspace.from_plain(at.session_state["_settings"])))
    share = f"{100 * Comparison(trace, trace).recalls[0]:.0f} % expected recall"
    assert any(share in each.value for each in at.caption)
    at = opened("pages/debug/playground.py", scenario=scenario, window="8000", view="layout")
    assert said(at) == []
    assert any(share in each.value and "Compare" in each.value for each in at.caption)


WALKS = [["caps-never-scale", "chinese-undercounted"], ["oldest-results-stay", "summary-goes-first"]]


@pytest.mark.parametrize("names", [*WALKS, pytest.param([*DEMOS, *reversed(DEMOS)], marks=pytest.mark.deep)], ids=len)
def test_no_demonstration_keeps_anything_of_the_one_before(names):
    at = opened(PAGE)
    for name in names:
        next(each for each in at.selectbox if each.key.endswith(":demo")).set_value(name).run()
        now = Workspace.from_plain(at.session_state["_settings"])
        assert now == sides.as_demo(now, name), name
        assert sides.as_demo(Workspace(), name).other == now.other, name
    assert said(at) == []


@pytest.mark.parametrize("part", sides.PARTS)
def test_every_part_opens_by_link(part):
    at = opened(PAGE, scenario="support-chat", part=part, other="variant:article;limits.docs:25%")
    assert said(at) == []
    kept = at.session_state["_settings"]
    assert (kept["part"], kept["other"]) == (part, {"variant": "article", "limits": {"docs": "25%"}})
    assert at.query_params["other"] in (["variant:article;limits.docs:25%"], "variant:article;limits.docs:25%")


def test_the_second_side_is_chosen_and_survives_a_page_switch():
    at = opened(PAGE, scenario="support-chat")
    at.button(key="compare.ready.article").click().run()
    assert at.session_state["_settings"]["other"] == {"variant": "article"}
    next(each for each in at.selectbox if ":other.system" in each.key).set_value("compiler").run()
    at.switch_page("pages/debug/sources.py").run()
    at.switch_page(PAGE).run()
    assert at.session_state["_settings"]["other"] == {"variant": "article", "system": "compiler"}
    assert said(at) == []


def test_a_limit_that_makes_no_sense_is_named_and_left_out():
    at = opened(PAGE, scenario="support-chat", other="variant:article")
    next(each for each in at.text_input if ":other.limit.docs" in each.key).set_value("a lot").run()
    assert "limits.docs" in at.toast[-1].value.replace("\\", "")
    assert said(at) == []


def test_one_undo_brings_back_what_was_there_before_a_demonstration():
    at = opened(PAGE, scenario="support-chat")
    before = at.session_state["_settings"]
    next(each for each in at.selectbox if each.key.endswith(":demo")).set_value("calls-lost").run()
    assert at.session_state["_settings"]["scenario"] == "calls-lost"
    told = [toast.value.replace("\\", "") for toast in at.toast]
    assert [DEMOS["calls-lost"].title("en") in each for each in told] == [True]
    at.button(key="frame.undo").click().run()
    assert at.session_state["_settings"] == before
    assert said(at) == []


@pytest.mark.parametrize(
    ("text", "good", "refused"),
    [
        ("system:raw", {"system": "raw"}, []),
        ("system:none;window:8000", {"window": 8000}, ["system"]),
        ("window:-1;x:1", {}, ["window", "x"]),
        ("stages:gather,construct", {"stages": ["gather", "construct"]}, []),
        ("stages:gather,nope", {}, ["stages"]),
        ("options.construct.divider:%3B%3A", {"options": {"construct.divider": ";:"}}, []),
    ],
)
def test_the_second_side_of_a_link_is_read(text, good, refused):
    assert sides.read(text) == (good, refused)
    assert sides.read(sides.write(good)) == (good, [])


def test_a_kept_pipeline_and_a_file_of_ones_own_can_be_the_second_side():
    other = opened("pages/debug/pipeline.py", scenario="support-chat", system="gssc")
    other.button(key="pipeline.down.select").click().run()
    other.text_input(key="pipeline.name").set_value("swapped").run()
    other.button(key="pipeline.save").click().run()
    at = opened(PAGE, scenario="support-chat", system="gssc", other="variant:repaired", part="settings")
    next(each for each in at.selectbox if ":other.pipeline" in each.key).set_value("swapped").run()
    assert at.session_state["_settings"]["other"]["stages"] == ["gather", "summarize", "select", "construct"]
    assert at.dataframe[0].value.values.tolist()[0][0] == "stages"
    at.file_uploader[0].upload("mine.md", b"Only this text.", "text/markdown").run()
    assert said(at) == []
    kept = at.session_state["_settings"]["other"]
    assert kept["scenario"] == "mine"
    assert len(kept["revision"]) == 40
    next(each for each in at.selectbox if ":other.scenario" in each.key).set_value("coding-agent").run()
    assert "revision" not in at.session_state["_settings"]["other"]
    assert said(at) == []


def test_the_order_and_single_options_of_the_second_side_are_set_in_the_page():
    at = opened(PAGE, scenario="support-chat", system="gssc", other="variant:repaired")
    at.selectbox(key="compare.stage").set_value("select").run()
    at.button(key="compare.down").click().run()
    assert at.session_state["_settings"]["other"]["stages"] == ["gather", "summarize", "select", "construct"]
    next(each for each in at.number_input if ":other.select.long_item" in each.key).set_value(700).run()
    kept = at.session_state["_settings"]
    assert kept["other"]["options"] == {"select.long_item": "700"}
    assert (kept["options"], kept["stages"], said(at)) == ({}, [], [])
    condition = next(each for each in at.text_input if ":other.select.when" in each.key)
    condition.set_value("tokens > 900000").run()
    assert at.session_state["_settings"]["other"]["options"]["select.when"] == "tokens > 900000"
    assert said(at) == []
