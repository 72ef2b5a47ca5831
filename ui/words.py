"""Every string of the interface, in the reader's language: `t("sources.add")`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import streamlit as st

from ui import state

LANGUAGES = {"en": "EN", "zh": "中文"}
FOLDER = Path(__file__).with_suffix("")
MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])")


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
    return words(language())[key].format(**facts)


def number(value: int) -> str:
    return f"{value:,}"


def literal(text: str) -> str:
    """Text as Markdown that shows as the text: no link, image, formula or colour of its own."""
    return MARKDOWN.sub(r"\\\1", text).replace("\n", "  \n")


def code(text: str) -> str:
    """Text as inline code, in which nothing acts."""
    return f"`{text.replace('`', chr(39))}`"
