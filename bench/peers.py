"""What ctxcore is measured against: the floor of one pass of the tokenizer, and LangChain's trim_messages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import tiktoken
from langchain_core.messages import BaseMessage, convert_to_messages, convert_to_openai_messages, trim_messages

from ctxcore.encodings import encoding

MODEL = "gpt-4o"
PER_MESSAGE, PRIMING = 4, 3  # tokens: framing of a message, and of the reply


def tokenizer() -> tiktoken.Encoding:
    """The encoding of `MODEL`, the same object that ctxcore counts with, but nothing is remembered."""
    return encoding("o200k_base")


def count(text: str) -> int:
    return len(tokenizer().encode_ordinary(text))


def one_pass(pieces: Iterable[str]) -> int:
    """The floor: every text is tokenized once, and nothing else is done."""
    encode = tokenizer().encode_ordinary
    return sum(len(encode(piece)) for piece in pieces)


def as_langchain(messages: Sequence[dict[str, Any]]) -> list[BaseMessage]:
    return convert_to_messages(list(messages))


def count_langchain(messages: Sequence[BaseMessage]) -> int:
    """The exact count of contents and calls, with the framing: no counter that comes with it knows the calls."""
    total = 0
    for message in messages:
        total += PER_MESSAGE + count(str(message.content))
        for call in getattr(message, "tool_calls", ()):
            total += count(call["name"]) + count(json.dumps(call["args"], ensure_ascii=False))
    return total


def trim(messages: Sequence[BaseMessage], room: int) -> list[BaseMessage]:
    """The newest messages that fit, from one of the user on, after the system text."""
    kept = trim_messages(list(messages), max_tokens=room - PRIMING, token_counter=count_langchain, strategy="last",
                         start_on="human", include_system=True)
    return list(kept)


def as_openai(messages: Sequence[BaseMessage]) -> list[dict[str, Any]]:
    converted = convert_to_openai_messages(list(messages))
    return converted if isinstance(converted, list) else [converted]
