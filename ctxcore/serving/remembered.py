"""What is remembered of the user, as items: loaded at the start of a build, ranked against the question."""

from __future__ import annotations

from ctxcore.counting.models import Model
from ctxcore.gathering import JOIN
from ctxcore.item import Item, Source, Text
from ctxcore.retrieving.retrieval import relevances
from ctxcore.services import Counter, Services


def remembered(services: Services, query: str, model: Model, counter: Counter) -> tuple[Item, ...]:
    """The lines of the profile, then the memory, each with its relevance for the question; of equals the newer first.

    Relevance is a share of the best score; without a question, or where nothing matches, it is 0 for all.
    """
    found = services.memory.load() if services.memory else ()
    scores = relevances(query, tuple(one.text for one in found), services.retriever) if found else ()
    items = [
        Item(
            one.id,
            Source(one.kind),
            "system",
            (Text(one.text),),
            counter.count(one.text),
            priority=2,
            relevance=round(score, 4),
            frame=JOIN,
        )
        for one, score in zip(found, scores, strict=True)
    ]
    return tuple(sorted(items, key=lambda item: (item.source is not Source.PROFILE, -item.relevance)))
