"""What acts on a page of what a text has brought: elements, addresses, requests; and whether it reads as written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.hostile import MARK, payload_of
from ui.words import MARKDOWN, NOTHING

LOOK = Path(__file__).with_suffix(".js").read_text("utf-8")
# Attributes in which a text may stand: they show it, or say it to those who listen.
SHOWN = ("title", "value", "placeholder", "alt", "label", "id", "class", "name", "for")
BEFORE = """
window.violations = [];
addEventListener('securitypolicyviolation', (one) => violations.push(`${one.violatedDirective} ${one.blockedURI}`));
"""
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd?\ud800-\udfff]")
# Words of a text that are named alone: names that a summary lost, terms of a search with their weight.
_PIECES = re.compile(r"zq\d\dx(?:\\?\.png)?(?=(?:,| [0-9]+\\?\.[0-9]{2})(?: |$))|(?<=, )zq\d\dx(?=\\?\.)")
_CODES = re.compile(r"\\\\?(?:u[0-9a-f]{4}|x[0-9a-f]{2})")  # of characters, in JSON and in what is quoted
NEAR = 8  # characters beside a mark that must stand there as they were written


def look(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(LOOK, [SHOWN])
    return found


def faults(page: Page, own: list[str]) -> list[str]:
    """`own`: what Streamlit itself does against the policy on any page."""
    found = look(page)
    said = [*found["acts"], *(one for one in found["violations"] if one not in own)]
    said += [f"acted: {found['acted']}"] if found["acted"] is not None else []
    return said + [fault for text in found["texts"] for fault in unlike(text)]


def unlike(shown: str) -> list[str]:
    """Where a payload is shown otherwise than it was written: the line that its mark stands in, whole or cut."""
    return _unlike(_PIECES.sub("", shown), _lines)


def unlike_markdown(said: str) -> list[str]:
    """Where a payload stands in Markdown otherwise than as `literal` or `code` writes it."""
    return _unlike(_PIECES.sub("", said.replace(NOTHING, "")), _escaped)


def _unlike(shown: str, lines: Callable[[str], list[str]]) -> list[str]:
    text = plain(shown)
    return [_near(text, at) for at in MARK.finditer(text) if not any(_fits(text, at, line) for line in lines(at[0]))]


def plain(text: str) -> str:
    text = text.replace("\xa0", " ").replace("&nbsp;", " ").replace("'\"'\"'", "'")  # so a shell writes an apostrophe
    return " ".join(CONTROLS.sub("", _CODES.sub("", text)).split())


@cache
def _lines(mark: str) -> list[str]:
    whole = payload_of(mark)
    lines = [whole, *(line for line in whole.splitlines() if mark in line)]
    return [plain(one) for line in lines for one in (line, json.dumps(line, ensure_ascii=False)[1:-1])]


@cache
def _escaped(mark: str) -> list[str]:
    return [MARKDOWN.sub(r"\\\1", line) for line in _lines(mark)] + [line.replace("`", "'") for line in _lines(mark)]


def _fits(text: str, at: re.Match[str], wanted: str) -> bool:
    for there in re.finditer(at[0], wanted):
        left, right = wanted[: there.start()][-NEAR:], wanted[there.end() :][:NEAR]
        before, after = text[: at.start()], text[at.end() :]
        if _ends(before, left) and _begins(after, right):
            return True
    return False


def _ends(text: str, wanted: str) -> bool:
    return text.endswith(wanted) or "…" in text[-len(wanted) :]


def _begins(text: str, wanted: str) -> bool:
    whole = text.partition("”")[0]  # of a quotation
    shorter = len(whole) < len(wanted) and wanted.startswith(whole)
    return text.startswith(wanted) or "…" in text[: len(wanted)] or shorter


def _near(text: str, at: re.Match[str]) -> str:
    return f"not as it was written: {text[max(0, at.start() - 30) : at.end() + 30]!r}"
