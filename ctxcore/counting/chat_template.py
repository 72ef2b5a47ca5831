"""How many tokens a prompt will be billed as, before it is sent; and how far off that was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ctxcore.counting.count import count_request
from ctxcore.model.endpoint import OPENAI, Endpoint
from ctxcore.model.replies import ChatModel, ModelError

_WORST_FIRST = ("fallback", "approximate", "exact")
_without_template: set[str] = set()  # fingerprints of endpoints whose server does not show its template


def predicted(
    model: ChatModel, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()
) -> tuple[int, str]:
    """Tokens, and how sure that is: exact | approximate | fallback. No model is called.

    A server of the llama.cpp kind is asked to write and tokenize the prompt itself; of any other the bill is estimated.
    """
    if isinstance(model, Endpoint) and (tokens := _by_server(model, messages, tools)) is not None:
        return tokens, "exact"
    bill = count_request({"messages": list(messages), "tools": list(tools)}, model.name)
    return bill.total, min((row.exactness for row in bill.rows), key=_WORST_FIRST.index)


def difference(predicted: int, billed: int | None) -> int | None:
    """Tokens that the endpoint's bill is above (below: negative) the prediction; None where it sent no bill."""
    return None if billed is None else billed - predicted


def _by_server(
    endpoint: Endpoint, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
) -> int | None:
    if endpoint.base_url in (None, OPENAI) or endpoint.fingerprint in _without_template:
        return None
    request = {"messages": list(messages), **({"tools": list(tools)} if tools else {})}
    try:
        prompt = endpoint.post("/apply-template", request)["prompt"]
        # Marks of the template are control tokens wherever they stand, in the words of a user too.
        asked = {"content": prompt, "add_special": True, "parse_special": True}
        return len(endpoint.post("/tokenize", asked)["tokens"])
    except ModelError as error:
        if error.kind in ("refused", "malformed"):
            _without_template.add(endpoint.fingerprint)
    except (LookupError, TypeError):
        _without_template.add(endpoint.fingerprint)
    return None
