"""Reads images, sounds and files out of message parts: their size, never their content."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

from ctxcore.images import image_size
from ctxcore.item import Media, Source

_HEADER = 400_000  # characters of base64 that nearly always hold the size of an image
_WAV_RATE = slice(28, 32)  # bytes of a WAV header that hold its bytes a second


def read_media(part: Mapping[str, Any]) -> Media | None:
    """The image, sound or file that a part of a message is; None where it is none of them.

    Reads OpenAI's parts (chat and responses) and Anthropic's image and document blocks. Never raises: what cannot be
    read has size 0.
    """
    match part.get("type"):
        case "image_url" | "input_image" | "image":
            return _image(part)
        case "input_audio" | "audio":
            return _audio(_mapping(part.get("input_audio") or part.get("audio")))
        case "file" | "input_file" | "document":
            return _file(part)
    return None


def _image(part: Mapping[str, Any]) -> Media:
    inner = part.get("image_url")
    detail = _mapping(inner).get("detail") or part.get("detail")
    url = inner if isinstance(inner, str) else _mapping(inner).get("url")
    payload = _Payload(url if isinstance(url, str) else _source(part))
    width, height = payload.image_size()
    label = payload.kind if payload.is_inline else payload.text[:200]
    return Media(Source.IMAGE, width, height, detail if isinstance(detail, str) else "auto", payload.size, label)


def _audio(inner: Mapping[str, Any]) -> Media:
    data, kind = inner.get("data"), inner.get("format")
    payload = _Payload(f"data:audio;base64,{data if isinstance(data, str) else ''}")
    head = payload.head(64)
    rate = int.from_bytes(head[_WAV_RATE], "little") if head.startswith(b"RIFF") else 0
    label = kind if isinstance(kind, str) else ""
    return Media(Source.AUDIO, size=payload.size, label=label, seconds=max(0, payload.size - 44) / rate if rate else 0.0)


def _file(part: Mapping[str, Any]) -> Media:
    inner = _mapping(part.get("file")) or part
    data = inner.get("file_data")
    payload = _Payload(data if isinstance(data, str) else _source(part))
    names = (inner.get("filename"), inner.get("title"), inner.get("file_id"), payload.kind)
    return Media(Source.FILE, size=payload.size, label=next((name for name in names if isinstance(name, str) and name), ""))


def _source(part: Mapping[str, Any]) -> str:
    """Anthropic's `source`, as a data URI or address."""
    source = _mapping(part.get("source"))
    if isinstance(data := source.get("data"), str):
        coding = ";base64" if source.get("type") == "base64" else ""
        return f"data:{source.get('media_type', '')}{coding},{data}"
    return url if isinstance(url := source.get("url"), str) else ""


class _Payload:
    """A data URI, or an address of which nothing but the address is known."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_inline = text[:5].lower() == "data:"
        about, _, self._data = text.partition(",") if self.is_inline else ("", "", "")
        self._is_base64 = about.endswith(";base64")
        self.kind = about[5:].partition(";")[0]

    @property
    def size(self) -> int:
        """Bytes, out of the length of the base64."""
        return (len(self._data) - self._data[-2:].count("=")) * 3 // 4 if self._is_base64 else len(self._data)

    def head(self, characters: int) -> bytes:
        data = self._data[: characters // 4 * 4]
        if not self._is_base64:
            return unquote_to_bytes(data)
        try:
            return b64decode(data + "=" * (-len(data) % 4))
        except ValueError:
            return b""

    def image_size(self) -> tuple[int, int]:
        size = image_size(self.head(_HEADER)) if self._data else (0, 0)
        return size if any(size) or len(self._data) <= _HEADER else image_size(self.head(len(self._data) + 3))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
