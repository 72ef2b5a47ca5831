"""What a message costs around its content. The items hold the content; this is all the rest.

A call's name and arguments and a result's content are the item's own tokens and not counted here. Constants of the
gpt-4o and gpt-4 families: OpenAI cookbook; calls, results and the reasoning models: fitted to recorded bills.
"""

from __future__ import annotations

from dataclasses import dataclass

from ctxcore.counting.models import Model
from ctxcore.services import Counter


@dataclass(frozen=True, slots=True)
class Framing:
    """Token constants of one family."""

    message: int = 3  # each message
    role: int = 1
    name: int = 1  # a participant's name, beside its own tokens
    call: int = 3  # each call
    parallel: int = 11  # more, once, where a message holds two calls or more …
    parallel_call: int = 3  # … and more for each of them
    result: int = 2  # a tool's answer, beside the tokens of the tool's name
    priming: int = 3  # the head of the reply


_CHAT = Framing()
_RULES = {
    "gpt-4o": _CHAT,
    "gpt-4": _CHAT,
    "claude": _CHAT,  # no published rule: the chat rule, marked approximate by the model
    "gpt-5": Framing(call=9, priming=2),
    "gpt-3.5-0301": Framing(message=4, name=-1),
}


def frame(model: Model, role: str, name_tokens: int = 0, calls: int = 0, result_name_tokens: int | None = None) -> int:
    """Tokens of one message beside its content.

    `name_tokens`: of a participant's name, 0 where there is none. `result_name_tokens`: `tool_name_tokens` of the tool
    where the message is a result, None for any other message.
    """
    rule = _RULES[model.chat]
    total = rule.message + rule.role
    if role == "function":  # legacy: the name stands in for the role and for the result's frame
        return rule.message + (result_name_tokens if result_name_tokens is not None else name_tokens)
    if result_name_tokens is not None:
        return total + rule.result + result_name_tokens
    if name_tokens:
        total += rule.name + name_tokens
    total += rule.call * calls
    if calls > 1:
        total += rule.parallel + rule.parallel_call * calls
    return total


def priming(model: Model) -> int:
    """Tokens that open the reply: once a request."""
    return _RULES[model.chat].priming


def tool_name_tokens(counter: Counter, name: str) -> int:
    """Tokens of a tool's name as a result bears it, `functions.name`; 0 where the tool is unknown."""
    return counter.count(f"functions.{name}") - counter.count("functions") if name else 0
