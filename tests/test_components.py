"""The Python half of the drawn components: colours, words, rows. What they draw is tested in a real browser."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from ctxcore.item import Source
from ui import palette
from ui.components import Marked, Segment, Tile, Window, component_words, room_tiles
from ui.components.item_list import HOVER, coded, excerpt
from ui.components.marked_text import stretches
from ui.components.rail import RailStage, state
from ui.components.treemap import columns
from ui.components.window_bar import laid_out

ASSETS = Path(palette.__file__).parent / "components" / "assets"
THEMES = ("light", "dark")

# Machado, Oliveira and Fernandes 2009, severity 1.0: linear RGB as a dichromat sees it.
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
OKLAB = (
    (0.2104542553, 0.793617785, -0.0040720468),
    (1.9779984951, -2.428592205, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.808675766),
)


def times(matrix, vector):
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def oklab(colour: str, sight: str):
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    seen = tuple(min(1.0, max(0.0, c)) for c in times(SIGHTS[sight], linear))
    return times(OKLAB, tuple(c ** (1 / 3) for c in times(LMS, seen)))


# --- colours


def test_every_source_has_a_colour_and_no_two_are_alike():
    assert set(palette.SOURCES) == set(Source)
    for theme in THEMES:
        fills = [getattr(shade, theme) for shade in palette.SOURCES.values()]
        assert len(set(fills)) == len(fills)


@pytest.mark.parametrize("theme", THEMES)
def test_text_on_every_fill_has_a_contrast_of_at_least_4_5(theme):
    colours = palette.PALETTE[theme]
    pairs = [
        *colours["relevance"],
        *(pair for family in ("source", "fate", "change") for pair in colours[family].values()),
    ]
    assert min(palette.contrast(fill, ink) for fill, ink in pairs) >= 4.5


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", THEMES)
def test_sources_stay_apart_in_every_sight(theme, sight):
    seen = {name: oklab(getattr(shade, theme), sight) for name, shade in palette.SOURCES.items()}
    apart = {
        pair: sum((a - b) ** 2 for a, b in zip(seen[pair[0]], seen[pair[1]], strict=True)) ** 0.5
        for pair in combinations(seen, 2)
    }
    assert min(apart.values()) > 0.05, min(apart, key=apart.get)  # 0.02 is a just noticeable difference


def test_every_action_has_its_own_mark():
    glyphs = [mark.glyph for mark in palette.ACTIONS.values()]
    assert len(set(glyphs)) == len(glyphs) == 7


# --- words and scripts


def test_both_languages_have_the_same_words_and_placeholders():
    english, chinese = component_words("en"), component_words("zh")
    assert english.keys() == chinese.keys()
    for key in english:
        assert set(re.findall(r"{\w+}", english[key])) == set(re.findall(r"{\w+}", chinese[key])), key


def test_every_word_that_a_script_asks_for_exists():
    asked = {
        key
        for script in ASSETS.glob("*.js")
        for key in re.findall(r"""[\W]w(?:ord)?\("([\w.]+)"\)""", script.read_text("utf-8"))
    }
    assert len(asked) > 30
    assert asked <= component_words("en").keys()


def test_every_word_is_asked_for_by_a_script():
    scripts = "".join(script.read_text("utf-8") for script in ASSETS.glob("*.js"))
    quoted = set(re.findall(r'"([\w.]+)"', scripts)) | {"waiting", "skipped"}  # states of a stage, from Python
    built = {f"{family}.{name}" for family in re.findall(r"`(\w+)\.\${", scripts) for name in quoted}
    unused = component_words("en").keys() - quoted - built - {"lang"}
    assert {word for word in unused if not word.startswith(("source.", "fate.", "change."))} == set()


def test_every_name_that_is_drawn_has_a_word():
    words = component_words("en")
    families = (("source", {**palette.SOURCES, **palette.ROOM}), ("fate", palette.ACTIONS), ("change", palette.CHANGES))
    for family, names in families:
        assert {f"{family}.{name}" for name in names} <= words.keys()


@pytest.mark.parametrize("asset", sorted(ASSETS.glob("*.[jc]s*")), ids=lambda path: path.name)
def test_an_asset_takes_no_markup_from_data_and_asks_no_other_host(asset):
    text = asset.read_text("utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|https?://(?!www\.w3\.org/2000/svg)|@import|url\((?!#)",
        text,
    )
    assert "\n" in text.strip()  # on one line it would be taken for a path
    assert len(text) < 20_000  # it is sent again with every change of the data


# --- the treemap


@given(st.integers(0, 9_000), st.integers(0, 9_000), st.integers(0, 2_000))
def test_the_tiles_of_the_window_add_up_to_it_wherever_the_items_fit(used, more, fixed):
    window = Window(8_000, 500, fixed, 90, used, used + more, used)
    area = sum(tile.base for tile in room_tiles(window)) + used + more
    if used + more + 590 + fixed <= 8_000:
        assert area == 8_000
    else:
        assert area >= 8_000


def test_a_place_is_never_smaller_than_what_it_holds():
    assert columns([Tile("a", "doc", 30, 10), Tile("b", "doc", 5)])["base"] == [30, 5]
    assert columns([Tile("free", "free", 30, 10)])["base"] == [10]  # the ghosts' places are free room too


# --- the list


@given(st.lists(st.sampled_from(("", "fits", "cap", "pinned"))))
def test_a_coded_column_gives_every_value_back_and_holds_each_once(values):
    column = coded(values)
    assert [column["of"][k] for k in column["at"]] == values
    assert len(column["of"]) == len(set(values))


def test_an_excerpt_is_the_first_words_or_those_around_what_is_sought():
    text = "one\n two " * 100 + "The Severe  cashew allergy. " + "three " * 100
    assert excerpt(text).startswith("one two one two")
    assert len(excerpt(text)) == HOVER
    found = excerpt(text, "severe cashew")
    assert found.startswith("…")
    assert "severe cashew allergy" in found.lower()[:60]
    assert excerpt("a short text", "short") == "a short text"
    assert excerpt(text, "nowhere") == excerpt(text)


# --- the bar and the rail


def test_the_bar_shows_free_room_and_reserve_up_to_the_window():
    rows, starts = laid_out([Segment("doc", 600), Segment("tool", 0), Segment("user", 100)], 1_000, 200)
    assert [(row.source, row.tokens) for row in rows] == [("doc", 600), ("user", 100), ("free", 100), ("reserve", 200)]
    assert starts == [0, 600, 700, 800]


def test_over_the_room_eats_the_reserve_and_over_the_window_leaves_nothing_of_it():
    rows, _ = laid_out([Segment("doc", 900)], 1_000, 200)
    assert [(row.source, row.tokens) for row in rows] == [("doc", 900), ("reserve", 100)]
    assert [row.source for row in laid_out([Segment("doc", 1_300)], 1_000, 200)[0]] == ["doc"]


def test_a_stage_that_has_not_run_is_waiting_even_if_it_will_be_skipped():
    stage = RailStage("guard", skipped=True)
    assert (state(stage, ahead=True), state(stage, ahead=False)) == ("waiting", "skipped")


# --- all of them at once


QUERIES = ({}, {"lang": "zh"}, {"items": "300"}, {"scenario": "support-chat"}, {"only": "list", "empty": "1"})


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_the_gallery_mounts_every_component(query):
    app = AppTest.from_file(str(Path(__file__).parent / "gallery.py"))
    app.query_params.update(query)
    app.run(timeout=20)
    assert not app.exception


# --- a text with marks


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 70), st.integers(0, 20)), max_size=8))
def test_marks_leave_every_letter_in_its_place(text, places):
    marks = [Marked(start, start + length, "lost") for start, length in places]
    pieces = list(stretches(text, marks))
    assert "".join(piece for piece, _ in pieces) == text
    assert all(kind in ("", "lost") for _, kind in pieces)
