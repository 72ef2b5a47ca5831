"""Small pictures of the images that a scenario brings: decoded here, and only from bytes that it holds itself.

Nothing is fetched, and nothing but a raster is drawn: an address, an SVG or broken data keeps its label in words.
"""

from __future__ import annotations

import io
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ctxcore.counting.media import picture_uri
from ctxcore.item import Item, Source
from ui.words import t

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
MOST_BYTES = 12_000_000
MOST_PIXELS = 40_000_000  # a bomb unpacks to more
SIDE, SIDE_OF_MESSAGE = 240, 96  # pixels of the longer side: of an item's, and of each of a message's
MOST_OF_MESSAGE = 8


@dataclass(frozen=True, slots=True)
class Small:
    png: bytes
    width: int
    height: int

    def drawn(self, side: int) -> None:
        """`side`: pixels of the longer one."""
        st.image(self.png, alt=t("item.picture"), width=max(1, side * self.width // max(self.width, self.height)))


def of_item(item: Item) -> Small | None:
    """The picture of an item that is one, or that was told in words."""
    content = (item.wire or {}).get("content")
    if item.at < 0 or not isinstance(content, list) or item.at >= len(content):
        return None
    return of_part(content[item.at])


def of_part(part: Any) -> Small | None:
    if not isinstance(part, Mapping) or part.get("type") not in ("image_url", "input_image", "image"):
        return None
    about, _, data = picture_uri(part).partition(",")
    is_inline = about[:5].lower() == "data:" and about.lower().endswith(";base64")
    found = _small(data) if is_inline and len(data) * 3 // 4 <= MOST_BYTES else None
    return Small(*found) if found else None


@st.cache_data(max_entries=256, show_spinner=False)
def _small(data: str) -> tuple[bytes, int, int] | None:
    """As PNG, with its width and height; None for what is no picture of `FORMATS`, broken, or too large."""
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(b64decode(data)), formats=FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                return None
            image.draft("RGB", (SIDE, SIDE))  # a JPEG is read small at once
            shown = ImageOps.exif_transpose(image)
            shown.thumbnail((SIDE, SIDE))
            out = io.BytesIO()
            shown.convert("RGBA").save(out, "PNG")
    except Exception:  # a broken picture is anybody's bytes, and each format breaks in ways of its own
        return None
    return out.getvalue(), shown.width, shown.height


def draw_item_picture(item: Item) -> None:
    if item.source in (Source.IMAGE, Source.USER) and (small := of_item(item)):
        with st.container(key="item_picture", width="content"):
            small.drawn(SIDE)


def draw_pictures(content: Any, name: str) -> None:
    """The pictures of a message of the sources, side by side."""
    found = [small for part in _parts(content)[:MOST_OF_MESSAGE] if (small := of_part(part))]
    if found:
        with st.container(key=f"sources_pictures_{name}", horizontal=True, gap="small"):
            for small in found:
                small.drawn(SIDE_OF_MESSAGE)


def _parts(content: Any) -> Sequence[Any]:
    return [part for part in content if isinstance(part, Mapping)] if isinstance(content, list) else []
