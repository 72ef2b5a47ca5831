"""Retrievers by name: what a setting can ask for, made of what is at hand."""

from __future__ import annotations

from ctxcore.errors import InputError
from ctxcore.retrieving.embedding import EmbeddingRetriever
from ctxcore.retrieving.hybrid import HybridRetriever
from ctxcore.retrieving.retrieval import BM25Retriever
from ctxcore.services import Embedder, Retriever

RETRIEVERS = ("bm25", "embedding", "hybrid")


def retriever_called(name: str, embedder: Embedder | None = None, milvus: str = "") -> Retriever:
    """`milvus`: a file or an address where vectors lie; "" = in memory. Raises InputError."""
    if name not in RETRIEVERS:
        raise InputError("no-retriever", name=name, there=RETRIEVERS)
    if name == "bm25":
        return BM25Retriever()
    if embedder is None:
        raise InputError("no-embedder", name=name)
    by_meaning = _by_meaning(embedder, milvus)
    return by_meaning if name == "embedding" else HybridRetriever((BM25Retriever(), by_meaning))


def _by_meaning(embedder: Embedder, milvus: str) -> Retriever:
    if not milvus:
        return EmbeddingRetriever(embedder)
    from ctxcore.retrieving.milvus import MilvusRetriever

    return MilvusRetriever(embedder, milvus)
