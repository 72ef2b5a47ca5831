"""The parts of a message's content, as OpenAI's chat API takes them. Cache marks in them are not judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ctxcore.linting.finding import Finding, finding

PARTS = {  # what a role's content may be made of
    "user": ("text", "image_url", "input_audio", "file"),
    "assistant": ("text", "refusal"),
}
ONLY_TEXT = ("text",)  # all other roles
TEXTS = ("text", "refusal")  # whose own field is a text; that of the others is an object
REQUIRED = {"image_url": ("url",), "input_audio": ("data", "format"), "file": ()}
TEXT_FIELDS = ("url", "data", "file_data", "file_id", "filename")
CHOICES = {"detail": ("auto", "low", "high", "original"), "format": ("wav", "mp3")}


def check_part(part: Any, role: str, where: str) -> Iterator[Finding]:
    kind = part.get("type") if isinstance(part, Mapping) else None
    allowed = PARTS.get(role, ONLY_TEXT)
    if not isinstance(kind, str):
        yield finding("part-malformed", where, type="unknown", wanted="a type: it is an object")
    elif kind not in allowed:
        yield finding("part-not-allowed", where, role=role, type=kind, wanted=", ".join(allowed))
    elif kind in TEXTS:
        if not isinstance(part.get(kind), str):
            yield finding("part-malformed", where, type=kind, wanted=f"{kind} as a text")
    elif problem := _problem(kind, part.get(kind)):
        yield finding("part-malformed", where, type=kind, wanted=problem)


def _problem(kind: str, inner: Any) -> str:
    """What is missing in the part's own object; "" where it is whole."""
    if not isinstance(inner, Mapping):
        return f"{kind} as an object"
    for name in REQUIRED[kind]:
        if name not in inner:
            return f"{name} in {kind}"
    for name in TEXT_FIELDS:
        if name in inner and not isinstance(inner[name], str):
            return f"{name} as a text"
    for name, choices in CHOICES.items():
        if name in inner and inner[name] not in choices:
            return f"{name} as one of {', '.join(choices)}"
    return ""
