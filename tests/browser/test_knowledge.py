"""A knowledge base in the browser: files dropped, a question with reasons, a reload, hits as documents, measures."""

from __future__ import annotations

import json
from pathlib import Path

from tests.browser.visit import Visitor
from tests.build import pdf

GUIDE = (
    "# Guide\n\nIt begins here.\n\n## Limits\n\nThe cache is bounded. <img src=x onerror=alert(1)> [x](http://evil/)\n"
)


def view(visitor: Visitor, name: str) -> None:
    visitor.thing("knowledge_view").get_by_role("radio", name=name).click()
    visitor.settle()


def drop(visitor: Visitor, thing: str, *files: Path) -> None:
    visitor.thing(thing).locator("input[type=file]").set_input_files(files)
    visitor.settle()


def test_documents_are_dropped_found_kept_used_and_measured(visitor, tmp_path):
    (tmp_path / "guide.md").write_text(GUIDE, encoding="utf-8")
    (tmp_path / "house.pdf").write_bytes(pdf("The gate opens at nine."))
    questions = [{"question": "When does the gate open?", "documents": ["house.pdf"]}]
    (tmp_path / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    visitor.open("/knowledge?scenario=support-chat")
    drop(visitor, "knowledge_files", tmp_path / "guide.md", tmp_path / "house.pdf")
    visitor.click("knowledge_take")
    visitor.thing("knowledge_query").get_by_role("textbox").fill("Is the cache bounded?")
    visitor.click("knowledge_find")
    hit = visitor.thing("knowledge_hit_1").inner_text()
    assert "guide.md" in hit
    assert "<img src=x onerror=alert(1)> [x](http://evil/)" in hit
    assert "matched: " in hit
    visitor.reload()
    view(visitor, "Measure")
    drop(visitor, "knowledge_questions", tmp_path / "questions.json")
    visitor.click("knowledge_measure")
    visitor.thing("knowledge_measures").wait_for()
    visitor.settle()
    assert "0 of 1 questions" in visitor.thing("knowledge_missed").inner_text()
    view(visitor, "Search")
    visitor.thing("knowledge_query").get_by_role("textbox").fill("When does the gate open?")
    visitor.click("knowledge_find")
    visitor.click("knowledge_use")
    visitor.page.get_by_role("link", name="Sources").click()
    visitor.settle()
    visitor.thing("sources_section").get_by_role("radio", name="Documents").click()
    visitor.settle()
    assert "The gate opens at nine." in visitor.page.locator("textarea").last.input_value()
