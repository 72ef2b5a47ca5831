"""The payload as the model reads it, each stretch in the colour of its source; before assembly, the items in order."""

from __future__ import annotations

import json
from functools import lru_cache

import streamlit as st

from ctxcore.counting.models import model as model_called
from ctxcore.counting.tokens import counter_for
from ctxcore.item import Item, Media
from ctxcore.message import Message as Written
from ui.components import Message, Span, prompt_view
from ui.looking import Looking
from ui.words import t


def draw(look: Looking) -> None:
    payload = look.snapshot.payload
    if payload.messages:
        messages = (*_tools(look), *_written(payload.messages, look.trace.model_name))
    else:
        st.caption(t("prompt.not_yet"))
        messages = tuple(Message(item.role, item.tokens, (_span(item),)) for item in payload.items)
    with st.container(key="view_prompt"):
        prompt_view(messages, look.mount("prompt", 620))


@lru_cache(maxsize=32)
def _written(messages: tuple[Written, ...], name: str) -> tuple[Message, ...]:
    model, counter = model_called(name), counter_for(name)
    return tuple(
        Message(
            message.role,
            message.cost(model, counter),
            tuple(Span(piece) if isinstance(piece, str) else _span(piece) for piece in message.pieces),
        )
        for message in messages
    )


def _span(item: Item) -> Span:
    part = item.parts[0] if item.parts else None
    size = (part.width, part.height) if isinstance(part, Media) else None
    return Span(item.text, item.id, str(item.source), size)


def _tools(look: Looking) -> tuple[Message, ...]:
    """The definitions, which come before the first message."""
    tools = look.snapshot.payload.tools
    if not tools:
        return ()
    text = "\n".join(json.dumps(dict(tool), ensure_ascii=False) for tool in tools)
    return (Message(t("prompt.tools", count=len(tools)), look.trace.totals.tools, (Span(text),)),)
