"""The knowledge bases of this user: names on the shelf, texts beside the scenarios; the workspace names one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ctxcore.counting.tokens import counter_for
from ctxcore.errors import InputError
from ctxcore.importing.plain import Copier
from ctxcore.model.embedding import EmbeddingEndpoint, LocalEmbedder, embedder_at_hand
from ctxcore.retrieving.chunking import Chunking
from ctxcore.retrieving.knowledge import Knowledge
from ctxcore.retrieving.questions import Question
from ctxcore.retrieving.vectors import Remembering, shared_vectors
from ctxcore.scenario import Record
from ui.store import Thing
from ui.workspace import state
from ui.workspace.owner import owner

SCHEMA, KIND = "ctxcore.knowledge/1", "knowledge"
KEPT = 32  # cut knowledge bases in memory, of all users together


@dataclass(frozen=True)
class Base:
    name: str
    revision: str
    documents: tuple[Record, ...]
    questions: tuple[Question, ...]


def current() -> Base | None:
    """None where there is no base yet. Raises InputError if it is not to be found any more."""
    found = {thing.name: str(thing.body["revision"]) for thing in state.store().things(owner(), KIND)}
    now = state.workspace().base
    name = now if now in found else next(iter(found), "")
    return _stored(owner(), found[name]) if name else None


def names(trashed: bool = False) -> list[str]:
    """The newest first."""
    return [thing.name for thing in state.store().things(owner(), KIND, trashed)]


def knowledge_of(base: Base) -> Knowledge:
    """The base, cut as the workspace says."""
    now = state.workspace()
    return cut(base, now.chunk_size, min(now.chunk_overlap, now.chunk_size - 1))


@st.cache_resource(max_entries=KEPT, show_spinner=False, hash_funcs={Base: lambda base: base.revision})
def cut(base: Base, size: int, overlap: int) -> Knowledge:
    return Knowledge(base.documents, counter_for("gpt-4o"), Chunking(size, overlap))


def keep(name: str, documents: Sequence[Record], questions: Sequence[Question] = ()) -> None:
    """Stores a base under its name and looks at it; one of the same name gives way."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "name": name,
        "documents": [_plain(record) for record in documents],
        "questions": [{"question": q.text, "documents": q.documents, "holds": q.holds} for q in questions],
    }
    revision = state.store().put_scenario(owner(), data)
    known = state.store().thing(owner(), KIND, name)
    body = {"revision": revision, "documents": len(documents)}
    state.store().keep(Thing(owner(), KIND, name, body, known.rev if known else 0))
    state.put(base=name)


def forget(name: str) -> None:
    state.store().throw_away(owner(), KIND, name)
    state.put(base="")


def restore(name: str) -> None:
    state.store().restore(owner(), KIND, name)
    state.put(base=name)


def embedder() -> EmbeddingEndpoint | LocalEmbedder | None:
    """Raises InputError for an address that is none."""
    return embedder_at_hand()


def remembering(*, live: bool) -> Remembering | None:
    found = embedder()
    return Remembering(found, shared_vectors(), live=live) if found else None


def _plain(record: Record) -> dict[str, str]:
    heading = str(record.extra.get("heading", ""))
    return {"title": record.title, "text": record.text} | ({"heading": heading} if heading else {})


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _stored(whose: str, revision: str) -> Base:
    data = Copier().copy(state.store().scenario(whose, revision))
    if data is None:
        raise InputError("base-gone", revision=revision[:8])
    documents = tuple(
        Record("", row["text"], row["title"], extra={"heading": row["heading"]} if row.get("heading") else {})
        for row in data["documents"]
    )
    questions = tuple(
        Question(row["question"], tuple(row["documents"]), tuple(row["holds"])) for row in data["questions"]
    )
    return Base(data["name"], revision, documents, questions)
