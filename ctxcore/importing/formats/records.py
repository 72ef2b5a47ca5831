"""Lists of documents: records with a text and no role, as retrievers and their data sets write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.shapes import mapping, objects, text
from ctxcore.scenario import Record

TEXTS = ("text", "page_content", "content")
TITLES = ("title", "chunk_heading", "heading", "name", "source", "url", "chunk_link")
NOT_THESE = {"role", "type", "from", "message", "messages"}


def fits(value: Any) -> bool:
    rows = objects(value)
    return len(rows) > 1 and len(rows) == len(value[: len(rows)]) and all(map(_is_document, rows))


def _is_document(one: Mapping[str, Any]) -> bool:
    is_langchain = one.get("type") == "Document"
    return bool(_text(one)) and (is_langchain or not NOT_THESE & one.keys())


def _text(one: Mapping[str, Any]) -> str:
    return next((text(one.get(name)) for name in TEXTS if text(one.get(name)).strip()), "")


def find(given: Given) -> Sequence[Found]:
    return [Found(partial(_read, given))]


def _read(given: Given) -> Draft:
    draft = Draft(records="records")
    for index, row in enumerate(given.value):
        one = mapping(row)
        if words := _text(one):
            about = {**mapping(one.get("metadata")), **one}
            title = next((text(about.get(name)) for name in TITLES if text(about.get(name))), "")
            score = one.get("score")
            number = score if isinstance(score, int | float) and not isinstance(score, bool) else None
            draft.documents.append(Record("", words, title, number))
        else:
            draft.note("a record without a text: skipped.", given.place(index))
    return draft


RECORDS = Format("documents", "a list of documents: records with a text, such as a retriever's", fits, find)
