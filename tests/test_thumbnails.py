"""Small pictures: real rasters alone, made small, and never fetched."""

from __future__ import annotations

import base64
import io
import struct
import zlib

import pytest
from PIL import Image

from tests.build import PIXEL, image, scenario
from tests.build import built as build
from ui.sources import thumbnails


def uri(kind: str, size: tuple[int, int] = (900, 600), mime: str = "image/png") -> str:
    out = io.BytesIO()
    Image.new("RGB", size, "#7a4a2a").save(out, kind)
    return f"data:{mime};base64,{base64.b64encode(out.getvalue()).decode()}"


def part(url: str) -> dict[str, object]:
    return {"type": "image_url", "image_url": {"url": url}}


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_raster_becomes_a_small_png_of_its_shape(kind: str) -> None:
    small = thumbnails.of_part(part(uri(kind)))
    assert small is not None
    assert (small.width, small.height) == (240, 160)
    with Image.open(io.BytesIO(small.png)) as again:
        assert (again.format, again.size) == ("PNG", (240, 160))


def test_the_other_shapes_of_a_part_are_read_too() -> None:
    data = PIXEL.partition(",")[2]
    assert thumbnails.of_part({"type": "input_image", "image_url": PIXEL})
    assert thumbnails.of_part({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}})


def bomb() -> str:
    """A PNG of a few bytes that says it has 100,000 × 100,000 pixels."""
    body = b"IHDR" + struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))
    return "data:image/png;base64," + base64.b64encode(png).decode()


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a.png",
        "file:///etc/hostname",
        "data:image/svg+xml;base64," + base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode(),
        "data:image/png;base64,AAAA",
        "data:image/png;base64,%%%",
        "data:,",
        uri("BMP"),
        uri("PNG")[:400],
        bomb(),
        "data:image/png;base64," + "A" * 20_000_000,
    ],
    ids=["web", "file", "svg", "broken", "no-base64", "empty", "bmp", "cut", "bomb", "long"],
)
def test_anything_else_keeps_its_label(url: str) -> None:
    assert thumbnails.of_part(part(url)) is None


def test_an_item_knows_its_picture_also_once_it_is_told_in_words() -> None:
    message = image(url=uri("PNG"))
    message["content"][1]["caption"] = "A brown field."
    trace = build([message, {"role": "user", "content": "Well?"}], window=8_000, limits={"media": "20"})
    told = next(item for item in trace.final.items if item.id == "turn-0001/image-1")
    assert told.text == "[image] A brown field."
    assert thumbnails.of_item(told)
    assert not any(thumbnails.of_item(item) for item in trace.final.items if item is not told)
    assert scenario([message]).has_media
    assert not scenario([{"role": "user", "content": "Well?"}]).has_media
