"""Every place in which a text of a user, of a file or of a model is shown: an address, and what is done there.

A step is a widget's own key with a label to pick, a text to type, a file to drop, PRESS, or WAIT until it is there. So
both can go there: a browser, and a talker.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Locator

from tests.browser.talking import Talker
from tests.browser.visit import Visitor
from tests.hostile import ALL, LINES, ONE_LINE

PRESS, WAIT = "press", "wait"
Step = tuple[str, Any]
Place = tuple[str, tuple[Step, ...]]
FILE = " ".join(one for one in ONE_LINE if not re.search(r'[/"\\\0\x1b\ud800]', one))[
    :200
]  # a name that a file can have
BROKEN = f'{{"messages": [{{"role": "user"}}], "tools": {json.dumps(ALL)}'.encode()


def _conversations() -> bytes:
    """An export of several conversations, of which one is to be picked."""
    said = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [LINES]}}
    nodes = {"1": {"id": "1", "message": {"id": "1", **said}, "parent": None, "children": []}}
    return json.dumps([{"title": one, "mapping": nodes, "current_node": "1"} for one in ONE_LINE]).encode()


def _view(name: str, *steps: Step) -> Place:
    return f"/?ws=WS&view={name}", steps


def _section(page: str, key: str, label: str, *steps: Step) -> Place:
    return f"/{page}?ws=WS", ((key, label), *steps)


VIEWS = ("items", "prompt", "messages", "treemap", "layout", "diff", "findings", "growth")
SOURCES = ("Conversation", "Documents", "Tools", "State", "Notes", "Memory", "Profile", "Open a file")
TUNE = ("Best split", "Many scenarios", "Presets", "Monitoring")
PLACES: Mapping[str, Place] = {
    **{name: _view(name) for name in VIEWS},
    "an item": _view("findings", ("finding.0.", PRESS)),
    "a reply": _view("ask", ("ask.button", PRESS), ("ask.continue", WAIT)),
    "Sources": ("/sources?ws=WS", ()),
    **{f"Sources, {name}": _section("sources", "sources.section", name) for name in SOURCES},
    "a broken file": _section("sources", "sources.section", "Open", ("sources.drop.0", (f"{FILE}.json", BROKEN))),
    "conversations": _section("sources", "sources.section", "Open", ("sources.drop.0", ("c.json", _conversations()))),
    "Why": ("/why?ws=WS", ()),
    "Why, a text": ("/why?ws=WS&find=zq20x", ()),
    **{f"Knowledge, {name}": _section("knowledge", "knowledge.view", name) for name in ("Chunks", "Measure", "Add")},
    "Knowledge, Search": _section("knowledge", "knowledge.view", "Search", ("knowledge.query", "document zq19x")),
    "a broken document": _section(
        "knowledge", "knowledge.view", "Add", ("knowledge.files.0", (f"{FILE}.pdf", BROKEN)), ("knowledge.take", PRESS)
    ),
    "Pipeline": ("/pipeline?ws=WS", ()),
    "problems": ("/?ws=BAD", ()),
    **{f"Compare, {name}": (f"/compare?ws=WS&part={name}&other=system:raw", ()) for name in ("flips", "payload")},
    "Compare, settings": ("/compare?ws=WS&part=settings&other=variant:article", ()),
    "Compare, evaluate": ("/compare?ws=WS&part=evaluate&other=window:9000", ()),
    "Tune": ("/tune?ws=WS", ()),
    **{f"Tune, {name}": _section("tune", "tune.section", name) for name in TUNE},
    "Agent": ("/agent?ws=WS", (("agent.who", "the model"), ("agent.run", PRESS), ("agent.open", WAIT))),
    "Measure": ("/measure?ws=WS", ()),
    "Library": ("/library?ws=WS", (("library.more.", PRESS),)),
    "trash": ("/library?ws=WS", (("library.kind", "Trash"),)),
    "Present": ("/present?ws=WS", ()),
}


def say(talker: Talker, place: Place, names: Mapping[str, str]) -> Talker:
    path, steps = place
    talker.open(_named(path, names))
    for key, value in steps:
        if value == WAIT:
            talker.until(key)
        else:
            talker.put(key, True if value == PRESS else value)
    return talker


def walk(visitor: Visitor, place: Place, names: Mapping[str, str]) -> Visitor:
    path, steps = place
    visitor.open(_named(path, names))
    for key, value in steps:
        _act(visitor.page.locator(f'[class*="st-key-{re.sub("[^a-zA-Z0-9_-]", "-", key)}"]').first, value)
        visitor.settle()
    return visitor


def _act(widget: Locator, value: Any) -> None:
    if isinstance(value, tuple):
        name, data = value
        file = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
        widget.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    elif value == WAIT:
        widget.wait_for()
    elif value == PRESS:
        widget.get_by_role("button").first.click()
    elif (radio := widget.get_by_role("radio", name=re.compile(f"^{re.escape(value)}"))).count():
        radio.first.click()
    else:
        widget.get_by_role("textbox").fill(value)
        widget.get_by_role("textbox").press("Enter")


def _named(path: str, names: Mapping[str, str]) -> str:
    return re.sub("[A-Z]{2,}", lambda found: names[found[0]], path)
