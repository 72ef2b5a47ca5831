"""Findings about documents: too large to be chosen from, too small to say anything, cut in mid-sentence (b20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ctxcore.findings.finding import Finding
from ctxcore.item import Item, Source
from ctxcore.trace import Trace

HALF = 0.5
LARGE_SHARE = 0.5  # of the limit that documents count to: a second one does not fit beside it
LARGE, SMALL = 2_000, 12  # tokens of a chunk
ENDS = (".", "!", "?", "。", "！", "？", "…", '"', "”", "」", "）", ")", "|", "`", ":", "：", ";", "；", "}", "]", ">")


def chunks(trace: Trace) -> Iterator[Finding]:
    """Documents that are too large to be chosen from, too small to say anything, or cut in the middle of a sentence."""
    documents = [item for item in trace.inputs if item.source is Source.DOC]
    if not documents:
        return
    cap = trace.budget.caps().get(trace.system.limit_of(documents[0]), 0)
    most = min(LARGE, int(LARGE_SHARE * cap)) if cap else LARGE
    large = [item for item in documents if item.tokens > most]
    if large:
        yield _chunk("large", large, documents, {"limit": most})
    small = [item for item in documents if item.tokens < SMALL]
    if len(documents) > 2 and len(small) > HALF * len(documents):
        yield _chunk("small", small, documents, {"limit": SMALL})
    cut = [
        item
        for item in documents
        if item.text.strip() and not item.text.rstrip().endswith(ENDS) and len(item.text) > 200
    ]
    if len(documents) > 2 and len(cut) > HALF * len(documents):
        yield _chunk("cut", cut, documents, {})


def _chunk(kind: str, hit: Sequence[Item], documents: Sequence[Item], facts: Mapping[str, int]) -> Finding:
    told = {"count": len(hit), "of": len(documents), **facts}
    return Finding(f"find-chunks-{kind}", "warning", told, tuple(item.id for item in hit), "find-remedy-chunks")
