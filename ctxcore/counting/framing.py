"""What a message costs around its content. The items hold the content; this is all the rest.

A call's name and arguments and a result's content are the item's own tokens and not counted here.
"""

from __future__ import annotations

from ctxcore.counting.models import Model
from ctxcore.services import Counter


def frame(
    model: Model,
    role: str,
    name_tokens: int = 0,
    calls: int = 0,
    result_name_tokens: int | None = None,
    shape: str = "openai",
) -> int:
    """Tokens of one message beside its content.

    `name_tokens`: of a participant's name, 0 where there is none. `result_name_tokens`: `tool_name_tokens` of the tool
    where the message is a result, None for any other message.
    """
    rule = model.ruled(shape)
    total = rule.message + rule.role
    if role in ("system", "developer") and rule.system is not None:
        total = rule.system
    if not rule.result_named and result_name_tokens is not None:
        result_name_tokens = 0
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


def priming(model: Model, shape: str = "openai") -> int:
    """Tokens that open the reply: once a request."""
    return model.ruled(shape).priming


def tool_name_tokens(counter: Counter, name: str) -> int:
    """Tokens of a tool's name as a result bears it, `functions.name`; 0 where the tool is unknown."""
    return counter.count(f"functions.{name}") - counter.count("functions") if name else 0
