"""The page Knowledge: documents in, chunks out, hits with reasons, measures; and what survives a reload."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
GUIDE = "# Guide\n\nIt begins here.\n\n## Limits\n\nThe cache is bounded. It holds four thousand entries.\n"
HOUSE = "# House\n\n退款须在三十天内申请。 The gate opens at nine.\n"
QUESTIONS = [
    {"question": "How large is the cache?", "documents": ["guide.md"]},
    {"question": "退款要多久？", "holds": ["三十天"]},
    {"question": "Who sings?", "holds": ["nobody says"]},
]


def opened() -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.run()
    return at.switch_page("pages/debug/knowledge.py").run()


def uploader(at: AppTest, name: str):
    return next(each for each in at.file_uploader if each.key.startswith(name))


def taken_in() -> AppTest:
    at = opened()
    uploader(at, "knowledge.files").upload("guide.md", GUIDE.encode(), "text/markdown")
    next(each for each in at.text_area if each.key.startswith("knowledge.paste")).set_value(HOUSE)
    at.button(key="knowledge.take").click().run()
    assert not at.exception
    assert not at.error
    return at


def look(at: AppTest, view: str) -> AppTest:
    at.segmented_control(key="knowledge.view").set_value(view).run()
    assert not at.exception
    assert not at.error
    return at


def ask(at: AppTest, query: str) -> AppTest:
    look(at, "search")
    at.text_input(key="knowledge.query").set_value(query)
    next(each for each in at.button if "FormSubmitter:knowledge_search" in str(each.key)).click().run()
    assert not at.exception
    return at


def shown(at: AppTest) -> str:
    return "\n".join(each.value for each in (*at.text, *at.caption, *at.code))


def test_what_was_taken_in_is_found_with_its_score_and_the_words_that_matched():
    at = ask(taken_in(), "Is the cache bounded?")
    assert "guide.md · " in shown(at)
    assert "The cache is bounded." in shown(at)
    assert "matched: " in shown(at)
    assert "cach" in shown(at)
    assert "退款" not in "\n".join(each.value for each in at.text)
    ask(at, "退款多少天")
    assert "退款须在三十天内申请。" in shown(at)


def test_a_base_is_there_in_a_new_tab_with_its_settings():
    at = taken_in()
    at.select_slider(key=next(s.key for s in at.select_slider if "chunk_size" in s.key)).set_value(300).run()
    again = look(opened(), "chunks")
    assert "It holds four thousand entries." in shown(again)
    assert "2 documents" in shown(again)
    assert again.session_state["_settings"]["chunk_size"] == 300


def test_hits_become_the_documents_of_the_scenario_and_undo_takes_them_back():
    at = ask(taken_in(), "Is the cache bounded?")
    before = at.session_state["_settings"]["revision"]
    at.button(key="knowledge.use").click().run()
    at.switch_page("pages/debug/sources.py").run()
    at.segmented_control(key="sources.section").set_value("documents").run()
    assert any("The cache is bounded." in each.value for each in at.text_area)
    assert len([each for each in at.text_area if ".doc-" in each.key]) == 1
    at.button(key="frame.undo").click().run()
    assert at.session_state["_settings"]["revision"] == before


def measured(at: AppTest) -> AppTest:
    at.button(key="knowledge.measure").click().run()
    for _ in range(100):
        if at.dataframe:
            break
        time.sleep(0.1)
        at.run()
    assert not at.exception
    return at


def test_b18_a_question_set_is_measured_and_missed_questions_are_named():
    at = look(taken_in(), "measure")
    uploader(at, "knowledge.question_set").upload("q.json", json.dumps(QUESTIONS).encode(), "application/json").run()
    measured(at)
    (row,) = at.dataframe[0].value.to_dict("records")
    assert row["recall@5"] == pytest.approx(2 / 3, abs=1e-3)
    assert row["MRR"] == pytest.approx(2 / 3, abs=1e-3)
    assert "Who sings?" in shown(at)
    assert "How large is the cache?" not in shown(at)


def test_what_cannot_be_read_is_said_and_the_rest_is_taken_in():
    at = opened()
    uploader(at, "knowledge.files").upload("a.md", b"Text.", "text/markdown")
    uploader(at, "knowledge.folder").upload("bad.pdf", b"%PDF", "application/pdf")
    at.button(key="knowledge.take").click().run()
    assert not at.exception
    assert any("bad" in each.value for each in at.warning)
    assert "1 document" in shown(look(at, "chunks"))


def test_a_question_set_that_makes_no_sense_is_told():
    at = look(taken_in(), "measure")
    uploader(at, "knowledge.question_set").upload("q.json", b'[{"q": 1}]', "application/json").run()
    assert not at.exception
    assert "question" in at.error[0].value


def test_a_base_that_is_removed_lies_in_the_trash():
    at = taken_in()
    at.button(key="knowledge.forget").click().run()
    assert not at.exception
    assert not [each for each in at.segmented_control if each.key == "knowledge.view"]
    at.button(key="knowledge.restore.My documents").click().run()
    assert "2 documents" in shown(look(at, "chunks"))
