"""The drawn components in a real browser: pointer, keyboard, themes, widths. The page is tests/gallery.py."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.browser.server import running
from tests.browser.visit import Visitor, visiting


@pytest.fixture(scope="module")
def gallery(browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("gallery"), "tests/gallery.py") as address:
        yield address


@pytest.fixture
def visitor(browser, gallery: str) -> Iterator[Visitor]:
    with visiting(browser, gallery) as visitor:
        yield visitor
        visitor.check_sound()


def press(visitor: Visitor, *keys: str) -> Visitor:
    for key in keys:
        visitor.page.keyboard.press(key)
    return visitor.settle()


def says(visitor: Visitor, text: str) -> bool:
    return visitor.page.get_by_text(text, exact=True).count() == 1


# --- the page's own shortcuts

USES = {  # where the focus is: the keys that are used there
    "rail [role=option][tabindex='0']": ("ArrowRight", "ArrowLeft"),
    "bar .segment[tabindex='0'] >> nth=0": ("ArrowRight", "ArrowLeft"),
    "treemap canvas.top": ("ArrowRight", "ArrowLeft", "ArrowDown"),
    "map canvas.top": ("ArrowRight", "ArrowLeft"),
    "prompt .list": ("ArrowRight", "ArrowLeft"),
}


def test_arrows_that_a_component_uses_do_not_press_the_pages_buttons(visitor):
    visitor.open("/?only=shortcuts,rail,bar,treemap,map,prompt,list")
    for place, keys in USES.items():
        show, query = place.split(" ", 1)
        visitor.page.locator(f".st-key-show_{show} {query}").focus()
        for key in keys:
            visitor.page.keyboard.press(key)
    assert says(visitor.settle(), "pressed 0 0")
    visitor.page.evaluate("document.activeElement.blur()")
    press(visitor, "ArrowRight")
    assert says(visitor, "pressed 0 1")
    visitor.page.locator(".st-key-show_list .list").focus()
    press(visitor, "ArrowDown", "ArrowLeft")  # up and down are the list's, left and right stay the page's
    assert says(visitor, "pressed 1 1")


# --- the treemap


def crumbs(visitor: Visitor) -> list[str]:
    return visitor.page.locator(".treemap .crumb").all_inner_texts()


def test_a_tile_is_picked_opened_and_left(visitor):
    visitor.open("/?only=treemap")
    canvas = visitor.page.locator(".treemap canvas.top")
    inside = {"x": 60, "y": 120}  # the largest source stands first
    canvas.click(position=inside)
    visitor.settle()
    assert says(visitor, "treemap=doc-03")
    canvas.dblclick(position=inside)
    assert crumbs(visitor) == ["window", "documents"]
    press(visitor, "Escape")
    assert crumbs(visitor) == ["window"]
    canvas.click(position={"x": 60, "y": 8})  # the heading of the source
    assert crumbs(visitor) == ["window", "documents"]
    visitor.page.locator(".treemap .crumb").first.click()
    assert crumbs(visitor) == ["window"]
    canvas.focus()
    press(visitor, "ArrowRight", "Space")
    assert len(crumbs(visitor)) == 2


# --- the list and the rail


def rows(visitor: Visitor) -> list[str]:
    """Ids of the rows in the document, from top to bottom."""
    made = visitor.page.locator(".item_list .row").all()
    return [row.get_attribute("data-item") for row in sorted(made, key=lambda row: int(row.get_attribute("data-at")))]


def test_the_list_by_keyboard(visitor):
    visitor.open("/?only=list&scenario=support-chat")
    visitor.page.get_by_role("listbox").focus()
    press(visitor, "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Enter")
    assert visitor.page.get_by_text("list=").inner_text() == f"list={rows(visitor)[1]}"
    press(visitor, "End", "Enter")
    last = visitor.page.locator(".item_list .row[aria-selected=true]")
    assert last.get_attribute("aria-posinset") == last.get_attribute("aria-setsize")
    assert last.is_visible()
    press(visitor, "Home", "PageDown", "Enter")
    assert int(last.get_attribute("aria-posinset")) > 10


def test_the_list_is_sorted_by_its_headings_and_a_picked_row_stays_as_high_as_it_was(visitor):
    visitor.open("/?only=list")
    before = visitor.page.get_by_role("button", name="before")
    before.click()
    assert rows(visitor)[0] == "tool-01"
    assert before.get_attribute("aria-label") == "before, largest first"
    press(visitor, "Enter")
    assert rows(visitor)[0] == "summary-01"
    visitor.page.get_by_role("button", name="order").click()
    assert rows(visitor)[0] == "system-01"
    row = visitor.page.locator("[data-item=doc-01]")
    low = row.bounding_box()["height"]
    row.click()
    visitor.settle()
    assert row.get_attribute("aria-selected") == "true"
    box, after = row.bounding_box(), visitor.page.locator("[data-item=doc-02]").bounding_box()
    assert box["height"] == pytest.approx(low, abs=1)
    assert after["y"] == pytest.approx(box["y"] + box["height"], abs=1)


def test_beside_a_panel_the_rows_are_no_higher_and_the_hover_card_tells_how_the_text_goes_on(browser, gallery):
    with visiting(browser, gallery, viewport={"width": 680, "height": 900}) as visitor:
        visitor.open("/?only=list&scenario=support-chat")
        row = visitor.page.locator(".item_list .row").nth(1)
        assert row.bounding_box()["height"] == pytest.approx(30, abs=1)
        row.locator(".preview").hover()
        card = visitor.page.locator(".item_list .tip .quote").inner_text()
        assert card.startswith(row.locator(".preview").inner_text()[:100])
        assert len(card) > 120
        visitor.check_sound()


def test_what_is_sought_stands_out_in_the_previews(visitor):
    visitor.open("/?only=list&scenario=support-chat")
    visitor.page.locator(".item_list .found").first.wait_for()
    assert {found.lower() for found in visitor.page.locator(".item_list .found").all_inner_texts()} == {"hamper"}


def test_of_ten_thousand_rows_only_those_in_sight_are_made(visitor):
    visitor.open("/?only=list&items=10000")
    assert len(rows(visitor)) < 60
    visitor.page.locator(".item_list .list").evaluate("list => { list.scrollTop = 150000 }")
    visitor.page.locator("[data-item=item-5005]").click()
    visitor.settle()
    assert says(visitor, "list=item-5005")
    assert len(rows(visitor)) < 60


def test_the_rail_by_keyboard_and_a_list_without_items(visitor):
    visitor.open("/?only=rail,list&empty=1")
    assert says(visitor, "No items here.")
    visitor.page.locator(".rail [role=option]").first.focus()
    press(visitor, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")
    assert says(visitor, "rail=guard")
    visitor.page.locator(".rail [data-stage=gather]").click()
    press(visitor, "ArrowRight")
    assert says(visitor, "rail=select")


def test_the_rail_ends_where_the_bar_does_and_names_its_ticks(visitor):
    visitor.open("/?only=rail,bar")
    stage, bar = (visitor.page.locator(query).last.bounding_box() for query in (".rail .stage", ".window_bar .track"))
    assert stage["x"] + stage["width"] == pytest.approx(bar["x"] + bar["width"], abs=1)
    assert visitor.page.locator(".window_bar .tick").first.inner_text() == "room 7,000"
    visitor.page.locator(".window_bar .segment.doc").first.click()
    visitor.settle()
    assert says(visitor, "bar=doc")
    assert visitor.page.locator(".window_bar .segment.free").first.get_attribute("aria-pressed") is None


def test_free_room_that_would_fill_the_treemap_is_hidden_until_asked_for(visitor):
    visitor.open("/?only=treemap&window=128000")
    visitor.page.get_by_role("button", name="show free room").click()
    visitor.page.get_by_role("button", name="hide free room").wait_for()
    visitor.open("/?only=treemap")
    assert visitor.page.get_by_role("button", name="hide free room").is_visible()


# --- looks


def test_all_components_in_the_dark_and_on_a_phone(browser, gallery):
    with visiting(browser, gallery, color_scheme="dark", viewport={"width": 390, "height": 844}) as visitor:
        visitor.open("/?lang=zh")
        grounds = visitor.page.locator(".box").evaluate_all(
            "boxes => boxes.map(box => getComputedStyle(box).getPropertyValue('--st-background-color').trim())"
        )
        assert set(grounds) == {"#12151c"}
        corner = "canvas => [...canvas.getContext('2d').getImageData(0, 0, 1, 1).data.slice(0, 3)]"
        assert max(visitor.page.locator(".layout_map canvas.base").evaluate(corner)) < 60
        row = visitor.page.locator(".item_list .row").first.bounding_box()
        assert row["height"] == pytest.approx(68, abs=1)
        assert row["width"] <= 390
        visitor.check_sound()


# --- pictures


def take(visitor: Visitor, place: str, kind: str) -> bytes:
    with visitor.page.expect_download() as download:
        visitor.page.locator(f".st-key-show_{place} .take").first.get_by_text(kind, exact=True).click()
    assert download.value.suggested_filename.endswith(kind.lower())
    return Path(download.value.path()).read_bytes()


def test_a_picture_is_taken_home_as_png_in_double_size_and_as_svg_that_holds_its_texts(visitor):
    visitor.open("/?only=treemap,map&items=30")
    for place in ("treemap", "map"):
        box = visitor.page.locator(f".st-key-show_{place} canvas.base").bounding_box()
        png = take(visitor, place, "PNG")
        assert struct.unpack(">II", png[16:24]) == (2 * round(box["width"]), 2 * round(box["height"]))
        drawn = ElementTree.fromstring(take(visitor, place, "SVG"))
        kinds = Counter(node.tag.rpartition("}")[2] for node in drawn.iter())
        assert kinds["rect"] >= 30
        assert kinds["text"] > 5
        assert kinds.keys() <= {"svg", "rect", "text", "path", "g", "clipPath"}
        assert visitor.page.locator(f".st-key-show_{place} canvas.base").evaluate("canvas => canvas.ratio") is None


def test_what_is_made_of_elements_is_taken_home_as_it_is_laid_out(visitor):
    visitor.open("/?only=rail,bar")
    for place, name in (("rail", ".rail .stages"), ("bar", ".window_bar .whole")):
        shown = visitor.page.locator(f".st-key-show_{place} {name}").first
        visitor.page.locator(f".st-key-show_{place} .box").first.hover()
        width, height = shown.evaluate("e => [e.scrollWidth, e.scrollHeight]")
        png = take(visitor, place, "PNG")
        assert struct.unpack(">II", png[16:24]) == (2 * width, 2 * height)
        drawn = ElementTree.fromstring(take(visitor, place, "SVG"))
        written = "".join(node.text for node in drawn.iter() if node.tag.endswith("text"))
        assert "".join(written.split()) == "".join(shown.evaluate("e => e.textContent").split())
