"""Texts that would like to act, in every place that shows one: none does, and each reads as it was written."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from ctxcore import Scenario, build
from ctxcore.reporting.cells import FORMULAS
from ctxcore.reporting.report import report
from ctxcore.tuning.monitoring import reading, to_csv
from tests.browser.acting import BEFORE, faults, look, unlike, unlike_markdown
from tests.browser.places import PLACES, say, walk
from tests.browser.server import asked, running
from tests.browser.talking import talking, texts
from tests.browser.visit import Visitor, visiting
from tests.hostile import LINES, MARK, furnish, scenario
from tests.models.acting import answer, serving
from ui.exports import ledger_csv, treemap_page
from ui.looking import Looking

COOKIE = "hostile-0123456789-abcdefghijklm"
REPLY = {"choices": [{"message": {"content": LINES}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1}}
SEEN = ("items", "an item", "Sources, Conversation", "Knowledge, Search", "Library", "problems")
# Fields that the browser shows as they are, or not at all. All others are Markdown.
PLAIN = re.compile(
    r"(Text|Json)\.body|Code\.code_text|Selectbox\.options|MultiSelect\.options|ArrowData\.data|BidiComponent\..*"
    r"|.*\.(id|form_id|placeholder|default|url|query_string|value|user_key|raw_value)|PlotlyChart\..*|.*[Ss]pec"
)


@dataclass(frozen=True)
class World:
    address: str
    folder: Path
    names: dict[str, str]  # of its workspaces
    model: str  # where the endpoint is that was set


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("hostile")
    names = furnish(f"sqlite:///{(folder / 'ctxcore.db').as_posix()}", COOKIE)
    with serving() as model:
        model.acts = [answer(REPLY)]
        more = {"OPENAI_BASE_URL": model.address, "OPENAI_API_KEY": "k", "CTXCORE_MODEL": LINES[:300]}
        with running(folder, extra=more) as address:
            yield World(address, folder, names, urlsplit(model.address).netloc)


@contextmanager
def watching(browser, world: World) -> Iterator[tuple[Visitor, list[str]]]:
    """A visitor, and what the pages did that they should not."""
    with visiting(browser, world.address) as visitor:
        visitor.page.context.add_cookies([{"name": "ctxcore_owner", "value": COOKIE, "url": world.address}])
        visitor.page.add_init_script(BEFORE)
        visitor.page.on("dialog", lambda one: (visitor.faults.append(f"dialog: {one.message}"), one.dismiss()))
        yield visitor, visitor.faults


def check(browser, world: World, names) -> None:
    found = {}
    with watching(browser, world) as (visitor, done):
        own = look(visitor.open("/agent").page)["violations"]  # of Streamlit's own
        for name in names:
            walk(visitor, PLACES[name], world.names)
            found[name] = [*faults(visitor.page, own), *done]
            done.clear()
    assert {name: told for name, told in found.items() if told} == {}


def test_no_text_acts_where_most_are_read(browser, world):
    check(browser, world, SEEN)


@pytest.mark.deep
def test_no_text_acts_anywhere(browser, world):
    check(browser, world, PLACES)


def test_no_text_is_markdown_in_anything_that_the_server_says(world):
    """Tooltips, closed panels and all: what is said to the browser, field by field."""
    found: dict[str, list[str]] = {}
    marks = set()
    with talking(world.address, {"ctxcore_owner": COOKIE}) as talker:
        for name, place in PLACES.items():
            for message in say(talker, place, world.names).drawn:
                for field, text in texts(message):
                    marks |= set(MARK.findall(text))
                    if not PLAIN.fullmatch(field) and (told := unlike_markdown(text)):
                        found.setdefault(f"{name}: {field}", []).extend(told)
    assert found == {}
    assert len(marks) > 50
    assert "Error" not in (world.folder / "server.log").read_text()
    assert asked(world.folder) == {world.model}, "the server asks nobody but the endpoint that was set"


def test_nothing_that_is_taken_home_acts(browser, world, tmp_path):
    """The report and the treemap as pages on disk, the treemap as a picture, every table as CSV."""
    trace = build(Scenario.from_json(scenario()), window=16_000, system="gssc")
    (tmp_path / "report.html").write_text(report(trace), encoding="utf-8")
    (tmp_path / "treemap.html").write_bytes(treemap_page(Looking(trace, 1)))
    with watching(browser, world) as (visitor, done):
        walk(visitor, PLACES["treemap"], world.names)
        with visitor.page.expect_download() as taken:
            visitor.page.locator(".take").get_by_role("button", name="SVG").last.click()  # the view below bar and rail
        kinds = {one.tag.rpartition("}")[2] for one in ElementTree.parse(taken.value.path()).iter()}
        assert kinds <= {"svg", "rect", "text", "path", "g", "clipPath"}
        assert done == []
    for name in ("report.html", "treemap.html"):
        with browser.new_context() as context:
            page, asked = context.new_page(), []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.goto((tmp_path / name).as_uri())
            page.locator(".treemap, details").first.wait_for()
            found = look(page)
            assert asked == [(tmp_path / name).as_uri()]
            acts = [one for one in found["acts"] if "Plotly.newPlot" not in one]  # the data of its own picture
            assert (found["acted"], acts, found["violations"]) == (None, [], [])
            assert [told for text in found["texts"] for told in unlike(text)] == []
    for table in (ledger_csv(trace, "en").decode("utf-8-sig"), to_csv([reading(trace, "now")])):
        cells = [cell for row in csv.reader(io.StringIO(table, newline="")) for cell in row]
        assert any(map(MARK.search, cells))
        assert [cell for cell in cells if cell.startswith(FORMULAS) and not _is_number(cell)] == []


def _is_number(cell: str) -> bool:
    return bool(re.fullmatch(r"-?[0-9.]+", cell))
