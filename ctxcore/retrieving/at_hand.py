"""A retriever by name, with the embeddings that are set up or installed here; vectors are kept from call to call."""

from __future__ import annotations

from ctxcore.model.embedding import embedder_at_hand
from ctxcore.retrieving.choice import retriever_called
from ctxcore.retrieving.vectors import Remembering, shared_vectors
from ctxcore.services import Retriever


def retriever_at_hand(name: str, milvus: str = "") -> Retriever:
    """`milvus`: where vectors lie, a file or an address. Raises InputError where something is missing, with what."""
    embedder = None if name == "bm25" else embedder_at_hand()
    return retriever_called(name, Remembering(embedder, shared_vectors()) if embedder else None, milvus)
