"""Image sizes out of bytes, image tokens against published and measured numbers, and other media."""

from __future__ import annotations

import base64
import io
import json
import struct
import wave
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcore.counting.count import count_request
from ctxcore.counting.images import image_size, image_tokens, media_tokens, other_tokens
from ctxcore.counting.media import content_text, part_text, read_media
from ctxcore.counting.models import MODELS, model
from ctxcore.item import Media, Source

ORACLE = Path(__file__).resolve().parents[2] / "shared" / "oracles" / "images.json"
needs_oracle = pytest.mark.skipif(not ORACLE.exists(), reason="the recorded image bills are not here")

SIDES = st.integers(1, 20_000)


def png(width: int, height: int) -> bytes:
    """The first bytes of a PNG: enough to tell its size."""
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x02\0\0\0"


def data_uri(data: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


@pytest.mark.parametrize(
    ("name", "size", "detail", "tokens"),
    [
        ("gpt-4o", (64, 64), "high", 255),
        ("gpt-4o", (512, 512), "high", 255),
        ("gpt-4o", (1024, 1024), "auto", 765),
        ("gpt-4o", (2048, 4096), "high", 1105),
        ("gpt-4o", (4096, 8192), "low", 85),
        ("gpt-4o", (0, 0), "auto", 765),  # unknown: as 1024 by 1024
        ("gpt-4o-mini", (1024, 1024), "high", 25501),
        ("gpt-5", (1024, 1024), "high", 630),
        ("gpt-4.1-mini", (1024, 1024), "high", 1659),
        ("gpt-4.1-mini", (1800, 2400), "high", 2353),  # 1,452 patches
        ("gpt-4.1-nano", (540, 360), "auto", 502),  # billed 503
        ("claude-sonnet-4-5", (1092, 1092), "auto", 1521),
        ("claude-sonnet-4-5", (1080, 1920), "auto", 1560),
        ("gemini-2.5-pro", (384, 384), "auto", 258),
        ("gemini-2.5-pro", (960, 540), "auto", 1548),
        ("home-made", (1024, 1024), "auto", 765),
    ],
)
def test_image_tokens(name: str, size: tuple[int, int], detail: str, tokens: int) -> None:
    assert image_tokens(model(name), *size, detail) == tokens


@needs_oracle
def test_published_and_measured_images() -> None:
    oracle = json.loads(ORACLE.read_text("utf-8"))
    for row in oracle["openai_tile"]:
        assert image_tokens(model(row["model"]), row["w"], row["h"], row["detail"]) == row["tokens"], row
    for width, height, tokens in oracle["openai_patch_measured_1.2"]["rows"]:
        assert image_tokens(model("gpt-6"), width, height) == tokens
    assert image_tokens(model("gpt-5.5"), 4032, 3024) == 11868
    for row in oracle["anthropic_28px"]["rows"]:
        assert image_tokens(model("claude-haiku-4-5"), row["w"], row["h"]) == row["standard"], row
        assert image_tokens(model("claude-opus-4-7"), row["w"], row["h"]) == row["high"], row
    for width, height, tokens in oracle["anthropic_28px"]["measured_haiku45_minus_65"]["rows"]:
        assert image_tokens(model("claude-haiku-4-5"), width, height) == tokens


def test_the_rule_that_is_not_used_is_told_beside_the_other() -> None:
    image = Media(Source.IMAGE, 1024, 1024)
    assert other_tokens(model("gpt-5-mini"), image) == 1229  # measured; the guide has 1,659
    assert other_tokens(model("gpt-4o"), image) is None
    for side, tokens in ((200, 54), (1000, 1334), (1092, 1590)):  # Anthropic's older guide
        assert other_tokens(model("claude-haiku-4-5"), Media(Source.IMAGE, side, side)) == tokens
    url = {"url": data_uri(png(1024, 1024))}
    request = {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": url}]}]}
    row = next(row for row in count_request(request, "gpt-5-mini").rows if row.what == "image")
    assert (row.tokens, row.other) == (1659, {"basis": "measured", "rule": "image-patch", "tokens": 1229})


@given(st.sampled_from(MODELS), SIDES, SIDES, st.sampled_from(["low", "high", "auto"]))
def test_every_size_has_a_price_that_ignores_orientation(known: Any, width: int, height: int, detail: str) -> None:
    tokens = image_tokens(known, width, height, detail)
    assert tokens > 0
    assert abs(tokens - image_tokens(known, height, width, detail)) <= 2
    assert image_tokens(known, width, height, "low") <= tokens


def test_size_is_read_from_the_header() -> None:
    assert image_size(png(3008, 2000)) == (3008, 2000)
    assert image_size(b"GIF89a" + struct.pack("<HH", 12, 34) + b"\0" * 10) == (12, 34)


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"plain text", png(0, 5)])
def test_unreadable_size_is_zero(data: bytes) -> None:
    assert image_size(data) == (0, 0)


@given(st.binary(max_size=200), st.integers(0, 30))
def test_broken_images_do_not_raise(noise: bytes, cut: int) -> None:
    image_size(noise)
    image_size(png(7, 9)[:cut] + noise)


def test_data_uris_are_sized_and_never_kept() -> None:
    media = read_media({"type": "image_url", "image_url": {"url": data_uri(png(640, 480)), "detail": "low"}})
    assert media == Media(Source.IMAGE, 640, 480, "low", size=len(png(640, 480)), label="image/png")


def test_size_far_behind_the_start_is_found() -> None:
    """A JPEG whose size stands behind half a megabyte of metadata."""
    padding = b"".join(b"\xff\xe1" + struct.pack(">H", 65535) + b"\0" * 65533 for _ in range(8))
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, 21, 37, 1) + b"\x01\x11\0"
    media = read_media({"type": "image_url", "image_url": data_uri(b"\xff\xd8" + padding + frame, "image/jpeg")})
    assert media is not None
    assert (media.width, media.height) == (37, 21)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({"type": "input_image", "image_url": data_uri(png(8, 9))}, (Source.IMAGE, 8, 9)),
        (
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/png", "data": base64.b64encode(png(8, 9)).decode()},
            },
            (Source.IMAGE, 8, 9),
        ),
        ({"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}, (Source.IMAGE, 0, 0)),
        ({"type": "image_url", "image_url": {"url": "data:image/png;base64,%%%"}}, (Source.IMAGE, 0, 0)),
        ({"type": "image_url", "image_url": {"url": "data:image/png;base64,A"}}, (Source.IMAGE, 0, 0)),
        ({"type": "image_url", "image_url": None}, (Source.IMAGE, 0, 0)),
        ({"type": "file", "file": {"file_id": "file-1"}}, (Source.FILE, 0, 0)),
        ({"type": "input_audio"}, (Source.AUDIO, 0, 0)),
    ],
)
def test_parts_of_all_shapes(part: dict[str, Any], expected: tuple[Source, int, int]) -> None:
    media = read_media(part)
    assert media is not None
    assert (media.kind, media.width, media.height) == expected


def test_other_parts_are_no_media() -> None:
    assert read_media({"type": "text", "text": "image"}) is None
    assert read_media({}) is None
    assert [part_text({"text": "a"}), part_text({"refusal": "no"}), part_text({"text": 5})] == ["a", "no", ""]
    assert [content_text(value) for value in (None, "a", {"b": ["é"]}, 5)] == ["", "a", '{"b":["é"]}', "5"]


def test_sound_costs_by_its_length() -> None:
    stream = io.BytesIO()
    with wave.open(stream, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(b"\0" * 2 * 8000 * 3)
    data = base64.b64encode(stream.getvalue()).decode()
    media = read_media({"type": "input_audio", "input_audio": {"data": data, "format": "wav"}})
    assert media is not None
    assert media.seconds == 3.0
    assert media_tokens(model("gpt-4o"), media) == (30, "approximate")
    assert media_tokens(model("gpt-4o"), Media(Source.AUDIO, size=160_000)) == (100, "approximate")


def test_exactness_is_stated() -> None:
    sized, unsized = Media(Source.IMAGE, 1024, 1024), Media(Source.IMAGE)
    assert media_tokens(model("gpt-4o"), sized) == (765, "exact")
    assert media_tokens(model("gpt-4o"), unsized) == (765, "approximate")
    assert media_tokens(model("gpt-5-mini"), sized)[1] == "approximate"  # published and measured differ
    assert media_tokens(model("home-made"), unsized)[1] == "fallback"
    assert media_tokens(model("gpt-4o"), Media(Source.FILE, size=400, label="a.txt")) == (100, "approximate")
    assert media_tokens(model("gpt-4o"), Media(Source.FILE, size=400, label="a.pdf")) == (10, "approximate")
    assert media_tokens(model("gpt-4o"), Media(Source.FILE, label="file-1"))[0] > 0
