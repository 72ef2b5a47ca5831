"""The token totals of an assembled payload, as the provider counts it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.counting.form import asked_form_tokens
from ctxcore.counting.framing import priming
from ctxcore.counting.models import Model
from ctxcore.counting.tooltext import tool_tokens
from ctxcore.item import Item, Source
from ctxcore.message import Message
from ctxcore.services import Counter


@dataclass(frozen=True, slots=True)
class Totals:
    """`messages` = the items' own tokens without images; `overhead` = framing, headings, joins, priming: it is what
    is left of the total, and can be negative where joins merge tokens."""

    messages: int
    overhead: int
    tools: int
    images: int
    total: int


def fixed_cost(
    model: Model, counter: Counter, tools: Sequence[Mapping[str, Any]], first_is_system: bool, form: str = ""
) -> tuple[int, int]:
    """Tokens of the tool definitions, and of the priming of the reply with the form that is asked of it (as it is
    written for the model): paid whatever the items are."""
    asked = asked_form_tokens(model.rules, form, counter)
    return (tool_tokens(model, tools, first_is_system, counter) if tools else 0), priming(model) + asked


def totals(
    model: Model,
    counter: Counter,
    tools: Sequence[Mapping[str, Any]],
    items: Iterable[Item],
    messages: Sequence[Message],
    form: str = "",
) -> Totals:
    first = bool(messages) and messages[0].role in ("system", "developer")
    defined, primed = fixed_cost(model, counter, tools, first, form)
    total = defined + primed + sum(message.cost(model, counter) for message in messages)
    own = images = 0
    for item in items:
        if item.is_media and item.parts[0].kind is Source.IMAGE:  # type: ignore[union-attr]
            images += item.tokens
        else:
            own += item.tokens
    return Totals(own, total - own - images - defined, defined, images, total)
