"""The services that come with the product: no model, no key, no network; and the same with a model beside them."""

from __future__ import annotations

from functools import cache

from ctxcore.model.replies import ChatModel
from ctxcore.services import Services

SEARCHES = 64  # that are remembered, with their texts, of all users together


@cache
def built_in_services() -> Services:
    from ctxcore.compressing.extractive import Extractive
    from ctxcore.retrieving.held import HeldRetriever
    from ctxcore.retrieving.retrieval import BM25Retriever

    return Services(Extractive(), HeldRetriever(BM25Retriever(), SEARCHES))


def model_services(model: ChatModel, *, live: bool) -> Services:
    """The built-in ones, with summaries by a model; its answers are kept on disk. `live` false: nothing is spent, only
    answers that are there are used. Made anew for each visitor, as the model may hold a key."""
    from ctxcore.compressing.answers import answers_from_env
    from ctxcore.compressing.model_compressor import ModelCompressor

    own = built_in_services()
    compressor = ModelCompressor(model, own.compressor, live=live, answers=answers_from_env())
    return Services(compressor, own.retriever)
