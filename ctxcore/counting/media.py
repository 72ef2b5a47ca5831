"""Reads the parts of a message: words as text; images, sounds and files as their size, never their content."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote_to_bytes

from ctxcore.counting.images import audio_seconds, image_size
from ctxcore.item import Media, Source

WORDS = (None, "text", "input_text", "output_text", "refusal", "thinking")  # parts that without text say nothing
SAID = ("transcript", "caption")  # fields of a part: ours, never sent where a message is written anew
_HEADER = 400_000  # characters of base64 that nearly always hold the size of an image
_WAV_RATE = slice(28, 32)  # bytes of a WAV header that hold its bytes a second
_WAV_HEAD = 44
_SOUND = 40_000_000  # characters of base64 that are read for the length of a sound


def part_text(part: Mapping[str, Any]) -> str:
    """The text of a part that is neither image, sound nor file; a part of a kind that is not known here is read as
    JSON, so that it is seen and counted."""
    for key in ("text", "refusal", "thinking"):
        if isinstance(text := part.get(key), str):
            return text
    return "" if part.get("type") in WORDS else content_text(part)


def content_text(content: Any) -> str:
    """Content that is no list, as a model reads it: a string as it is, anything else as JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    try:
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=str)
    except (TypeError, ValueError, RecursionError):
        return str(type(content))


def read_media(part: Mapping[str, Any]) -> Media | None:
    """The image, sound or file that a part of a message is; None where it is none of them.

    Reads OpenAI's parts (chat and responses) and Anthropic's image and document blocks. Never raises: what cannot be
    read has size 0.
    """
    found = None
    match part.get("type"):
        case "image_url" | "input_image" | "image":
            found = _image(part)
        case "input_audio" | "audio":
            found = _audio(_mapping(part.get("input_audio") or part.get("audio")))
        case "file" | "input_file" | "document":
            found = _file(part)
    said = _text(*(part.get(name) for name in SAID))
    return replace(found, said=said) if found and said else found


def picture_uri(part: Mapping[str, Any]) -> str:
    """The data URI or the address of an image part; "" where it has none."""
    inner = part.get("image_url")
    url = inner if isinstance(inner, str) else _mapping(inner).get("url")
    return url if isinstance(url, str) else _source(part)


def _image(part: Mapping[str, Any]) -> Media:
    inner = part.get("image_url")
    payload = _Payload(picture_uri(part))
    width, height = payload.image_size()
    if not width and isinstance(part.get("width"), int) and isinstance(part.get("height"), int):
        width, height = part["width"], part["height"]  # an export that has but a pointer tells the size
    detail = _text(_mapping(inner).get("detail"), part.get("detail")) or "auto"
    label = payload.kind if payload.is_inline else payload.uri[:200]
    return Media(Source.IMAGE, width, height, detail, payload.size, label)


def _audio(inner: Mapping[str, Any]) -> Media:
    payload = _Payload(f"data:audio;base64,{_text(inner.get('data'))}")
    head = payload.head(64)
    rate = int.from_bytes(head[_WAV_RATE], "little") if head.startswith(b"RIFF") else 0
    seconds = max(0, payload.size - _WAV_HEAD) / rate if rate else audio_seconds(payload.head(_SOUND))
    return Media(Source.AUDIO, size=payload.size, label=_text(inner.get("format")), seconds=seconds)


def _file(part: Mapping[str, Any]) -> Media:
    inner = _mapping(part.get("file")) or part
    payload = _Payload(_text(inner.get("file_data")) or _source(part))
    label = _text(inner.get("filename"), inner.get("title"), inner.get("file_id"), payload.kind)
    return Media(Source.FILE, size=payload.size, label=label)


def _source(part: Mapping[str, Any]) -> str:
    """Anthropic's `source`, as a data URI or an address."""
    source = _mapping(part.get("source"))
    if isinstance(data := source.get("data"), str):
        coding = ";base64" if source.get("type") == "base64" else ""
        return f"data:{_text(source.get('media_type'))}{coding},{data}"
    return _text(source.get("url"))


class _Payload:
    """A data URI, or an address of which nothing but the address is known."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.is_inline = uri[:5].lower() == "data:"
        about, _, self._data = uri.partition(",") if self.is_inline else ("", "", "")
        self._is_base64 = about.endswith(";base64")
        self.kind = about[5:].partition(";")[0]

    @property
    def size(self) -> int:
        """Bytes, out of the length of the base64."""
        return (len(self._data) - self._data[-2:].count("=")) * 3 // 4 if self._is_base64 else len(self._data)

    def head(self, characters: int) -> bytes:
        data = self._data[: characters // 4 * 4]
        if not self._is_base64:
            return unquote_to_bytes(data.encode("utf-8", "replace"))
        try:
            return b64decode(data + "=" * (-len(data) % 4))
        except ValueError:
            return b""

    def image_size(self) -> tuple[int, int]:
        size = image_size(self.head(_HEADER)) if self._data else (0, 0)
        return size if any(size) or len(self._data) <= _HEADER else image_size(self.head(len(self._data) + 3))


def _text(*values: Any) -> str:
    """The first of the values that is a text and not empty."""
    return next((value for value in values if isinstance(value, str) and value), "")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
