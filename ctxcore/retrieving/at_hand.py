"""A retriever by name, with the embeddings that are set up or installed here; vectors are kept from call to call."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from ctxcore.model.embedding import embedder_at_hand
from ctxcore.retrieving.choice import retriever_called
from ctxcore.retrieving.vectors import Remembering, shared_vectors
from ctxcore.services import Retriever

MILVUS = "CTXCORE_MILVUS"  # a file that ends in .db, or an address: set by who runs the app, not by its visitors


def retriever_at_hand(name: str, milvus: str = "") -> Retriever:
    """`milvus`: where vectors lie, a file or an address. Raises InputError where something is missing, with what."""
    embedder = None if name == "bm25" else embedder_at_hand()
    remembered = Remembering(embedder, shared_vectors()) if embedder else None
    return retriever_called(name, remembered, milvus or milvus_at())


def milvus_at() -> str:
    """ "" where vectors are searched in memory."""
    return os.environ.get(MILVUS, "").strip()


def milvus_named() -> str:
    """The same to be shown: host or file, without a password or a path."""
    where = milvus_at()
    return urlsplit(where).netloc.rpartition("@")[2] if "://" in where else Path(where).name if where else ""
