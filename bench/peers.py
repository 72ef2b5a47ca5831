"""What ctxcore is measured against: the floor of one pass of the tokenizer, and LangChain's trim_messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from langchain_core.messages import BaseMessage, convert_to_messages, convert_to_openai_messages, trim_messages

from bench.conversation import Message
from ctxcore.counting.count import count_request
from ctxcore.counting.encodings import encoding

MODEL, ENCODING = "gpt-4o", "o200k_base"
PER_MESSAGE, PRIMING = 4, 3  # tokens: framing of a plain message, and of the reply
CountAll = Callable[[list[BaseMessage]], int]


def count(text: str) -> int:
    """By the encoder that ctxcore uses too; nothing is remembered."""
    return len(encoding(ENCODING).encode_ordinary(text))


def one_pass(pieces: Iterable[str]) -> int:
    """The floor: every text is tokenized once, and nothing else is done."""
    encode = encoding(ENCODING).encode_ordinary
    return sum([len(encode(piece)) for piece in pieces])


def as_langchain(messages: Sequence[Message]) -> list[BaseMessage]:
    """Each with its place as its id."""
    out = convert_to_messages(list(messages))
    for at, message in enumerate(out):
        message.id = str(at)
    return out


def as_openai(messages: Sequence[BaseMessage]) -> list[Message]:
    converted = convert_to_openai_messages(list(messages))
    return converted if isinstance(converted, list) else [converted]


def count_again(messages: Sequence[BaseMessage]) -> int:
    """The counter that LangChain is given: contents and calls, tokenized whenever it asks."""
    total = 0
    for message in messages:
        total += PER_MESSAGE + count(str(message.content))
        for call in getattr(message, "tool_calls", ()):
            total += count(call["name"]) + count(json.dumps(call["args"], ensure_ascii=False))
    return total


def true_counter(messages: Sequence[Message]) -> CountAll:
    """One that knows what each of these messages truly costs: where decisions are compared, not time."""
    costs = dict.fromkeys(map(str, range(len(messages))), 0)
    for row in count_request({"messages": messages}, MODEL).rows:
        if row.message is not None:
            costs[str(row.message)] += row.tokens
    return lambda asked: sum(costs[str(message.id)] for message in asked)


def trim(messages: Sequence[BaseMessage], room: int, counter: CountAll = count_again) -> list[BaseMessage]:
    """The newest messages that fit, from one of the user on, after the system text."""
    kept = trim_messages(
        list(messages),
        max_tokens=room - PRIMING,
        token_counter=counter,
        strategy="last",
        start_on="human",
        include_system=True,
    )
    return list(kept)
