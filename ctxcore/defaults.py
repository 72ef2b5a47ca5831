"""The services that come with the product: no model, no key, no network."""

from __future__ import annotations

from functools import cache

from ctxcore.services import Services

SEARCHES = 64  # that are remembered, with their texts, of all users together


@cache
def built_in_services() -> Services:
    from ctxcore.compressing.extractive import Extractive
    from ctxcore.retrieving.held import HeldRetriever
    from ctxcore.retrieving.retrieval import BM25Retriever

    return Services(Extractive(), HeldRetriever(BM25Retriever(), SEARCHES))
