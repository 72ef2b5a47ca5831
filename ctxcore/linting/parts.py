"""The parts of a message's content, as OpenAI's chat API takes them. Cache marks in them are not judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ctxcore.linting.finding import Finding, finding
from ctxcore.words import Phrase

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
        yield finding("part-malformed", where, type=Phrase("type-unknown"), wanted=Phrase("wanted-part-type"))
    elif kind not in allowed:
        yield finding("part-not-allowed", where, role=role, type=kind, wanted=", ".join(allowed))
    elif kind in TEXTS:
        if not isinstance(part.get(kind), str):
            yield finding("part-malformed", where, type=kind, wanted=Phrase("as-text", name=kind))
    elif problem := _problem(kind, part.get(kind)):
        yield finding("part-malformed", where, type=kind, wanted=problem)


def _problem(kind: str, inner: Any) -> Phrase | None:
    """What is missing in the part's own object; None where it is whole."""
    if not isinstance(inner, Mapping):
        return Phrase("as-object", name=kind)
    for name in REQUIRED[kind]:
        if name not in inner:
            return Phrase("name-inside", name=name, kind=kind)
    for name in TEXT_FIELDS:
        if name in inner and not isinstance(inner[name], str):
            return Phrase("as-text", name=name)
    for name, choices in CHOICES.items():
        if name in inner and inner[name] not in choices:
            return Phrase("as-one-of", name=name, there=choices)
    return None
