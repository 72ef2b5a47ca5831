"""The mark that says that a text was compressed: before it, or around it where it is JSON, which it stays."""

from __future__ import annotations

import json

from ctxcore.compressing.json_text import dump, json_value


def marked(text: str, marker: str, was_json: bool) -> str:
    """`was_json`: the text is JSON, as the one that it was made from."""
    bare = marker.strip()
    if not (was_json and bare):
        return marker + text
    return f"{{{json.dumps(bare, ensure_ascii=False)}:{text}}}"


def unmarked(text: str, marker: str) -> str:
    """A text that bears the mark already, without it: it is not marked twice."""
    bare = marker.strip()
    if not bare:
        return text
    if text.startswith(marker):
        return text[len(marker) :]
    if text.startswith(f"{{{json.dumps(bare, ensure_ascii=False)}:"):
        value = json_value(text)
        if isinstance(value, dict) and list(value) == [bare]:
            return dump(value[bare])
    return text
