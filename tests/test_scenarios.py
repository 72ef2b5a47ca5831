"""The scenarios and the talk that ship with the package: shape only, not what the engine makes of them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

import ctxcore

PACKAGE = Path(ctxcore.__path__[0])
SCENARIOS = sorted((PACKAGE / "scenarios").glob("*.json"))
NAMES = {path.stem for path in SCENARIOS}
LESSONS = {
    "retention-analysis",
    "context-assistant",
    "competitors",
    "support-chat",
    "coding-agent",
    "buried-answer",
    "chinese-service",
    "with-images",
    "cannot-fit",
}
SYSTEMS = {"gssc", "compiler", "layered", "raw"}
VIEWS = {"items", "prompt", "messages", "treemap", "layout", "diff"}
TALK: dict[str, Any] = json.loads((PACKAGE / "talks" / "first.json").read_text(encoding="utf-8"))


@pytest.fixture(params=SCENARIOS, ids=lambda path: path.stem)
def scenario(request: pytest.FixtureRequest) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(request.param.read_text(encoding="utf-8"))
    assert data["name"] == request.param.stem
    return data


def parts_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content or ""}]


def has_both_languages(value: dict[str, str]) -> bool:
    return set(value) == {"en", "zh"} and all(text.strip() for text in value.values())


def test_there_is_one_for_each_lesson() -> None:
    assert LESSONS <= NAMES
    assert sum(path.stat().st_size for path in SCENARIOS) < 1_000_000


def test_required_fields_and_both_languages(scenario: dict[str, Any]) -> None:
    assert scenario["schema"] == "ctxcore.scenario/1"
    assert has_both_languages(scenario["title"])
    assert has_both_languages(scenario["about"])
    settings = scenario["settings"]
    assert settings["system"] in SYSTEMS
    assert settings["model"] == "gpt-4o"
    assert settings["window"] > 0


def test_every_call_is_answered_directly_behind_it(scenario: dict[str, Any]) -> None:
    names = {tool["function"]["name"] for tool in scenario.get("tools", [])}
    waiting: list[str] = []
    for message in scenario["messages"]:
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])  # raises ValueError where no call asked for it
            continue
        assert not waiting
        waiting = [call["id"] for call in message.get("tool_calls", [])]
        for call in message.get("tool_calls", []):
            assert call["function"]["name"] in names
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
    assert not waiting


def test_the_question_comes_last_unless_a_run_is_in_progress(scenario: dict[str, Any]) -> None:
    in_progress = scenario["name"] == "competitors"
    assert (scenario["messages"][-1]["role"] == "user") is not in_progress


def test_must_keep_is_there_to_be_lost(scenario: dict[str, Any]) -> None:
    texts = [part["text"] for message in scenario["messages"] for part in parts_of(message) if part["type"] == "text"]
    for field in ("documents", "tool_results", "notes", "memory", "profile"):
        texts += [record["text"] for record in scenario.get(field, [])]
    assert scenario["must_keep"]
    for fact in scenario["must_keep"]:
        assert any(fact in text for text in texts), fact


def test_record_ids_are_unique(scenario: dict[str, Any]) -> None:
    fields = ("documents", "tool_results", "notes", "memory", "profile")
    ids = [record["id"] for field in fields for record in scenario.get(field, [])]
    assert len(ids) == len(set(ids))


def test_images_that_are_inside_are_png() -> None:
    messages = json.loads((PACKAGE / "scenarios" / "with-images.json").read_text(encoding="utf-8"))["messages"]
    parts = [part for message in messages for part in parts_of(message)]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    inside = [url.partition(",")[2] for url in urls if url.startswith("data:image/png;base64,")]
    assert len(inside) == len(urls) - 1  # one stands behind a link, with a size that is not known
    assert all(base64.b64decode(data, validate=True).startswith(b"\x89PNG\r\n") for data in inside)


def test_article_1_has_nine_items() -> None:
    data = json.loads((PACKAGE / "scenarios" / "retention-analysis.json").read_text(encoding="utf-8"))
    assert len(data["messages"]) + len(data["tool_results"]) + len(data["notes"]) + bool(data["state"]) == 9


def test_the_talk_names_what_exists() -> None:
    assert TALK["scenario"] in NAMES
    assert len(TALK["screens"]) == 5
    for screen in TALK["screens"]:
        assert all(has_both_languages(screen[field]) for field in ("title", "say", "notes"))
        assert screen["view"] in VIEWS
        assert screen["settings"].get("system", "gssc") in SYSTEMS
        assert (screen["view"] == "diff") == ("diff_with" in screen)
