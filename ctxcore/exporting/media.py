"""Pictures, sounds and files of chat messages, as other providers write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Part = Mapping[str, Any]


def split_uri(uri: str) -> tuple[str, str]:
    """MIME type and base64 of a data URI; ("", "") for an address."""
    if not uri.startswith("data:"):
        return "", ""
    about, _, data = uri.partition(",")
    return about[5:].partition(";")[0], data


def address(part: Part) -> str:
    """Where a picture or a file is: a data URI or an address; "" for a file that has but an id."""
    if part.get("type") == "image_url":
        inner = part.get("image_url")
        return str(inner.get("url") or "") if isinstance(inner, Mapping) else str(inner or "")
    inner = part.get("file")
    return str(inner.get("file_data") or "") if isinstance(inner, Mapping) else ""


def is_web(uri: str) -> bool:
    return uri.startswith(("http://", "https://"))


def file_name(part: Part) -> str:
    inner = part.get("file")
    return str(inner.get("filename") or "") if isinstance(inner, Mapping) else ""


def file_key(part: Part) -> str:
    inner = part.get("file")
    return str(inner.get("file_id") or "") if isinstance(inner, Mapping) else ""


def shown(part: Part) -> str:
    """What stands for a part that cannot be held: its kind, and where it is, never its data."""
    kind = str(part.get("type") or "part").removesuffix("_url").removeprefix("input_")
    uri = address(part)
    name = file_name(part) or ("" if uri.startswith("data:") else uri[:200])
    return f"[{kind} {name}]".replace(" ]", "]")
