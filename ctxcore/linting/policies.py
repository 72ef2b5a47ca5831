"""What each provider asks of a request beyond its shape, as a table."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """`error`, `warning` or `info` says how bad it is for this provider; "" that it does not mind."""

    adjacent: bool = True  # results stand right behind their calls
    starts_with_assistant: str = "warning"
    same_role: str = "info"
    arguments: str = "warning"  # arguments that are no JSON object
    blank: str = ""  # words that are nothing but blanks
    system_inside: str = ""  # a system message behind others
    trailing_blank: str = ""  # an answer begun for the model that ends in blanks
    most_tools: int | None = None
    most_marks: int | None = None  # cache marks
    tool_name: re.Pattern[str] | None = None
    call_id: re.Pattern[str] | None = None
    results_first: bool = False  # in a user's message, results stand before the words
    signed: bool = False  # thoughts of an open tool loop keep their signature
    followed: bool = False  # a thought stands right before what it belongs to


POLICIES = {
    "openai": Policy(most_tools=128, tool_name=re.compile(r"[a-zA-Z0-9_-]{1,64}")),
    "openai-responses": Policy(
        adjacent=False,
        starts_with_assistant="",
        same_role="",
        most_tools=128,
        tool_name=re.compile(r"[a-zA-Z0-9_-]{1,64}"),
        followed=True,
    ),
    "anthropic": Policy(
        arguments="error",
        blank="error",
        system_inside="warning",
        trailing_blank="error",
        most_marks=4,
        tool_name=re.compile(r"[a-zA-Z0-9_-]{1,128}"),
        call_id=re.compile(r"[a-zA-Z0-9_-]+"),
        results_first=True,
        signed=True,
    ),
    "gemini": Policy(
        starts_with_assistant="error",
        arguments="error",
        system_inside="warning",
        most_tools=512,
        tool_name=re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}"),
    ),
}
PROVIDERS = tuple(POLICIES)


def provider_of(family: str) -> str:
    """Whose rules a family of models is asked by."""
    return {"claude": "anthropic", "gemini": "gemini"}.get(family, "openai")
