"""The texts, with their questions: real documents and real tool results, read from ../shared."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ctxcore import build
from ctxcore.compressing.sentences import sentences
from ctxcore.errors import CtxError
from ctxcore.importing import load
from ctxcore.item import Source
from ctxcore.retrieving.terms import terms

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "inputs"
QUESTIONS = ROOT / "bench" / "questions.zh.json"


@dataclass(frozen=True)
class Case:
    """`gold`: what must still be there for the question to be answered; "" where nobody asked."""

    text: str
    query: str = ""
    gold: str = ""
    source: str = "doc"


def english(parts: int = 24) -> Iterator[Case]:
    """A question, and the documents that answer it among others, in an order of their own; the answer is the sentence
    that shares most words with the one that is given."""
    folder = SHARED / "rag" / "anthropic-docs"
    documents = {row["chunk_link"]: row["text"] for row in json.loads((folder / "anthropic_docs.json").read_text())}
    for asked in json.loads((folder / "docs_evaluation_dataset.json").read_text()):
        right = [documents[link] for link in asked["correct_chunks"] if link in documents]
        if not right:
            continue
        rng = random.Random(asked["id"])
        chosen = right + rng.sample(
            [text for text in documents.values() if text not in right], max(0, parts - len(right))
        )
        rng.shuffle(chosen)
        wanted = set(terms(asked["correct_answer"]))
        said = [one.strip() for text in right for one in sentences(text) if one.strip()]
        gold = max(said, key=lambda one: len(wanted & set(terms(one))) / (len(set(terms(one))) + 8))
        yield Case("\n\n".join(chosen), asked["question"], gold)


def chinese() -> Iterator[Case]:
    texts = [path.read_text("utf-8") for path in sorted((SHARED / "rag" / "zh-docs").glob("*.md"))]
    for asked in json.loads(QUESTIONS.read_text("utf-8")):
        gold = asked["holds"][0]
        for text in texts:
            if gold in text:
                yield Case(text, asked["question"], gold)
                break


def tool_results(least: int = 400) -> Iterator[Case]:
    """Each once, from every real file that can be read, with the question of its conversation."""
    seen: set[str] = set()
    for path in sorted(one for one in SHARED.rglob("*") if one.suffix in (".json", ".jsonl", ".traj")):
        if "rag" in path.parts:
            continue
        for at in (None, 0, 1, 2, 3):
            try:
                payload = build(load(str(path), conversation=at), system="raw", window=1 << 40, reserve=0).final
            except CtxError:
                continue
            for item in payload.items:
                if item.source is Source.TOOL and not item.is_media and item.tokens >= least and item.text not in seen:
                    seen.add(item.text)
                    yield Case(item.text, payload.query, source="tool")
            if at is None:
                break
