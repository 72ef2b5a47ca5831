"""What the shape that is asked of an answer costs: the model reads the schema under a heading of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ctxcore.counting.rules import Rules
from ctxcore.services import Counter
from ctxcore.wire.blocks import Form

_UNREAD = ("additionalProperties", "required")  # bills are the same with and without them
_DEEPEST = 40


def form_tokens(rules: Rules, form: Form, counter: Counter) -> int:
    """Of the heading, the description and the schema. The heading is that of OpenAI's published harmony format."""
    return asked_form_tokens(rules, written_form(form), counter)


def asked_form_tokens(rules: Rules, written: str, counter: Counter) -> int:
    """The same of a form that is written already; 0 for none."""
    return counter.count(written) + rules.form if written else 0


def written_form(form: Form) -> str:
    described = "".join(f"// {line}\n" for line in form.description.split("\n") if line)
    schema = json.dumps(_read(form.schema), ensure_ascii=False, separators=(",", ":"), default=str)
    return f"# Response Formats\n\n## {form.name}\n\n{described}{schema}"


def _read(value: Any, depth: int = 0, *, names: bool = False) -> Any:
    """The schema without what is not read; `names`: the keys are names of fields, which are all read."""
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        left = value.items() if names else ((key, one) for key, one in value.items() if key not in _UNREAD)
        return {key: _read(one, depth + 1, names=key == "properties" and not names) for key, one in left}
    return [_read(one, depth + 1) for one in value] if isinstance(value, list | tuple) else value
