"""A web page as text: title, the words of its body, its address. For broken HTML too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser

_HTML = re.compile(
    r"<!doctype html|<(?:html|head|body|div|p|table|ul|ol|section|article|h[1-6])\b[^>]*>", re.IGNORECASE
)
_UNREAD = frozenset(("script", "style", "noscript", "template", "svg", "nav", "footer"))
_VOID = frozenset(("br", "hr", "img", "input", "link", "meta"))
_BREAKS = frozenset(
    (
        "p",
        "div",
        "li",
        "tr",
        "br",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "section",
        "article",
        "table",
        "ul",
        "ol",
        "dt",
        "dd",
    )
)
_CELLS = frozenset(("td", "th"))


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    text: str  # a line for each paragraph, row or entry
    link: str


def looks_like_html(text: str) -> bool:
    return text.lstrip()[:1] == "<" and _HTML.search(text[:5_000]) is not None


def read_page(text: str) -> Page:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    lines = (
        "; ".join(part for part in (" ".join(cell.split()) for cell in line.split("\t")) if part)
        for line in "".join(reader.words).split("\n")
    )
    said = "\n".join(line for line in lines if line)
    return Page(" ".join("".join(reader.title).split()), said, reader.link)


class _Reader(HTMLParser):
    """Collects words outside scripts, menus and footers; cells of a row are parted by tabs."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.words: list[str] = []
        self.link = ""
        self._inside: list[str] = []  # open elements that are not read
        self._titled = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "link" and given.get("rel") == "canonical":
            self.link = given.get("href", "")
        if tag == "a" and not self.link and given.get("href", "").startswith("http") and not self._inside:
            self.link = given["href"]
        if tag in _UNREAD and tag not in _VOID:
            self._inside.append(tag)
        self._titled = tag == "title" or (self._titled and tag in _VOID)
        if not self._inside:
            self.words += ["\n"] if tag in _BREAKS else ["\t"] if tag in _CELLS else []

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:  # also those that were opened inside it and never closed
            del self._inside[self._inside.index(tag) :]
        if tag == "title":
            self._titled = False
        if tag in _BREAKS and not self._inside:
            self.words.append("\n")

    def handle_data(self, data: str) -> None:
        if self._titled:
            self.title.append(data)
        elif not self._inside:
            self.words.append(data.replace("\t", " ").replace("\n", " "))
