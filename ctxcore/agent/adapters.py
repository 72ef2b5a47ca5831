"""Result adapters: whatever a tool answers, in one shape: title, summary, key fields, link (article 3, c9)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ctxcore.agent.pages import looks_like_html, read_page

TITLES = ("title", "name", "headline", "subject", "标题", "名称")
SUMMARIES = ("summary", "snippet", "abstract", "description", "text", "content", "body", "摘要", "内容")
LINKS = ("link", "url", "href", "source", "uri", "链接")
MOST_FIELDS = 200  # lines; what is beyond them is counted, not written
LONGEST_JSON = 1_000_000  # characters; longer texts are left as they are
DEEPEST = 6  # levels of nesting that are written out

_URL = re.compile(r"https?://[^\s<>\"')\]}，。]+")


@dataclass(frozen=True, slots=True)
class Adapted:
    """`format` is json, html or text: what the result was. Fields keep their order."""

    format: str
    title: str = ""
    summary: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    link: str = ""

    @property
    def text(self) -> str:
        """Title and summary first, then the fields, a line each, the link last."""
        head = [("title", self.title), ("summary", self.summary)]
        return "\n".join(
            f"{name}: {value}" if name else value for name, value in (*head, *self.fields, ("link", self.link)) if value
        )


def adapt(raw: str) -> str:
    """One shape for JSON, HTML and plain text. Never raises; a short plain text stays as it is."""
    return adapted(raw).text or raw


def adapted(raw: str) -> Adapted:
    value = _json(raw)
    if value is not None:
        return _from_json(value)
    if looks_like_html(raw):
        page = read_page(raw)
        return Adapted("html", page.title, page.text, (), page.link)
    return _from_text(raw)


def format_of(raw: str) -> str:
    """json, html or text. A bare number or word counts as text."""
    if _json(raw) is not None:
        return "json"
    return "html" if looks_like_html(raw) else "text"


def _json(raw: str) -> Any:
    """The object or list that `raw` is; None where it is none."""
    text = raw.strip()
    if text[:1] not in ("{", "[") or len(text) > LONGEST_JSON:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _from_json(value: Any) -> Adapted:
    if not isinstance(value, Mapping):
        return Adapted("json", fields=_lines(_flat("", value)))
    own = {name: _taken(value, names) for name, names in (("title", TITLES), ("summary", SUMMARIES), ("link", LINKS))}
    rest = {key: item for key, item in value.items() if key not in {key for key, _ in own.values()}}
    told = {name: text for name, (_, text) in own.items()}
    return Adapted("json", told["title"], told["summary"], _lines(_flat("", rest)), told["link"])


def _taken(value: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, str]:
    """Key and text of the first of `names` that holds a text."""
    return next(((name, item) for name in names if isinstance(item := value.get(name), str) and item.strip()), ("", ""))


def _flat(path: str, value: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Leaves as (path, text). An object inside that has a summary becomes one line."""
    if depth > DEEPEST:
        yield path, json.dumps(value, ensure_ascii=False)
    elif isinstance(value, Mapping):
        if depth and _taken(value, SUMMARIES)[0]:
            said, value = _record(value)
            yield "", said
        for key, item in value.items():
            yield from _flat(f"{path}.{key}" if path else str(key), item, depth + 1)
    elif isinstance(value, list):
        if value and all(not isinstance(item, Mapping | list) for item in value):
            yield path, ", ".join(_scalar(item) for item in value)
            return
        for at, item in enumerate(value, 1):
            yield from _flat(f"{path}[{at}]", item, depth + 1)
    else:
        yield path, _scalar(value)


def _record(value: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """One hit as a line, `title (date: …; link): summary`, and what of it is not on that line."""
    (titled, title), (summed, summary), (linked, link) = (_taken(value, names) for names in (TITLES, SUMMARIES, LINKS))
    others = {key: item for key, item in value.items() if key not in (titled, summed, linked)}
    nested = {key: item for key, item in others.items() if isinstance(item, Mapping | list)}
    notes = [f"{key}: {text}" for key, item in others.items() if key not in nested and (text := _scalar(item))]
    aside = "; ".join((*notes, *([link] if link else [])))
    head = f"{title} ({aside})" if title and aside else title or aside
    return (f"{head}: {summary}" if head else summary), nested


def _lines(flat: Iterator[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    found = [(path, text) for path, text in flat if text]
    beyond = len(found) - MOST_FIELDS
    return tuple(found if beyond <= 0 else [*found[:MOST_FIELDS], ("…", f"{beyond} more")])


def _scalar(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _from_text(raw: str) -> Adapted:
    """A first line that stands alone and reads as a heading is the title; the first address is the link."""
    text = raw.strip()
    first, newline, rest = text.partition("\n")
    heading = (
        newline
        and rest.strip()
        and len(first) <= 100
        and not first.rstrip().endswith((".", "。", ",", "，", ";", "；"))
    )
    link = _URL.search(text)
    if not heading and not link:
        return Adapted("text", fields=(("", text),))
    title, body = (first.strip(" #*="), rest.strip()) if heading else ("", text)
    return Adapted("text", title, body, (), link.group() if link else "")
