"""Every string of the interface, in the reader's language: `t("sources.add")`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import streamlit as st

from ctxcore.words import Phrase, fill
from ui.workspace import state

LANGUAGES = {"en": "EN", "zh": "中文"}
FOLDER = Path(__file__).with_suffix("")
MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&=])")
INDENT = re.compile(r"^(?:[ \t]|(?=\n))", re.MULTILINE)  # four would make a block of code, a blank line a paragraph
# What Streamlit finds in texts after their escapes are gone: addresses, icons, its logo, :heart:, arrows. In two, they
# are none.
FOUND_LATER = re.compile(
    r"(?<=http)(?=s?://)|(?<=www)(?=\.)|(?=@)|(?<=:)(?=material[/_]|[\w+-]+:)"
    r"|(?<=[-<>~])(?<!\S[-<>~])(?=[->=]>?(?:\s|$))|(?<=<-)(?<!\S<-)(?=>(?:\s|$))",
    re.IGNORECASE,
)
NOTHING = ":small[]"  # a directive that shows nothing, but parts the text around it
TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")  # would turn the words of ours that stand behind it


@cache
def words(language: str) -> Mapping[str, str]:
    return json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))


def language() -> str:
    """en or zh: as chosen in the sidebar, or else as the browser asks."""
    return state.chosen_language() or ("zh" if str(st.context.locale).lower().startswith("zh") else "en")


def t(key: str, /, **facts: object) -> str:
    """The words for `key`. Facts that come from a user go through `literal` where the string is shown as Markdown.

    Not inside a `format_func`, which AppTest calls outside a run: make a dict of the labels, pass its `__getitem__`.
    """
    return fill(words(language())[key], facts)


def number(value: int) -> str:
    return f"{value:,}"


def literal(text: str) -> str:
    """Text as Markdown that shows as the text: no link, image, icon, formula, heading or colour of its own. What can be
    said in several languages is said in the reader's."""
    text = text.said(language()) if isinstance(text, Phrase) else text
    escaped = (MARKDOWN.sub(r"\\\1", part) for part in FOUND_LATER.split(TURNING.sub("\ufffd", text)))
    return INDENT.sub("&nbsp;", NOTHING.join(escaped)).replace("\n", "  \n")


def badge(text: str, colour: str, icon: str = "") -> str:
    """Text as a badge, for `st.markdown`: `st.badge` has escapes of its own, beside which those of `literal` show."""
    return f":{colour}-badge[{f':material/{icon}: ' if icon else ''}{literal(text)}]"


def code(text: str) -> str:
    """Text as inline code on one line, in which nothing acts: a blank line would end it."""
    return f"`{' '.join(TURNING.sub(chr(0xFFFD), text).replace('`', chr(39)).split()) or ' '}`"
