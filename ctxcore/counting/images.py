"""What images, audio and files cost: by their size, never by their bytes as text."""

from __future__ import annotations

import io
from math import ceil, floor, sqrt

from ctxcore.counting.models import ImageRule, Limit, Model
from ctxcore.item import Media, Source

UNKNOWN_SIZE = (1024, 1024)  # stands in where the size of an image cannot be told
AUDIO_TOKENS_PER_SECOND = 10
_AUDIO_BYTES_PER_SECOND = 16_000  # where only the size is known: 128 kbit/s
_FILE_BYTES_PER_TOKEN, _PDF_BYTES_PER_TOKEN = 4, 40  # plain text; a PDF's text is packed (two bills: 20 and 60)
_UNKNOWN_FILE = 220  # a file known by its id alone: one PDF page, measured
_TILE_FIT, _TILE_SIDE, _TILE = 2048, 768, 512
_PATCH, _CLAUDE_PATCH = 32, 28
_PIXELS = 750
_GEMINI_IMAGE, _GEMINI_SMALL, _GEMINI_TILE = 258, 384, 768


def image_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels, out of the header; (0, 0) where it cannot be read."""
    import imagesize

    try:
        width, height = imagesize.get(io.BytesIO(data))
    except (ValueError, TypeError, OSError, IndexError, OverflowError):
        return (0, 0)
    return (int(width), int(height)) if width > 0 and height > 0 else (0, 0)


def audio_seconds(data: bytes) -> float:
    """The length of a sound (MP3, Ogg, FLAC, M4A …); 0 where it cannot be told."""
    import tinytag

    try:
        return float(tinytag.TinyTag.get(file_obj=io.BytesIO(data), tags=False).duration or 0.0) if data else 0.0
    except Exception:  # a broken file is anybody's bytes
        return 0.0


def image_tokens(model: Model, width: int, height: int, detail: str = "auto") -> int:
    """Tokens of one image; 1024×1024 is assumed where a side is unknown (0)."""
    return ruled_tokens(model.image, width, height, detail)


def other_tokens(model: Model, media: Media) -> int | None:
    """Tokens of an image by the rule that is known beside the one in use; None where there is none."""
    rule = model.image.other if media.kind is Source.IMAGE else None
    return ruled_tokens(rule, media.width, media.height, media.detail) if rule else None


def ruled_tokens(rule: ImageRule, width: int, height: int, detail: str) -> int:
    if width <= 0 or height <= 0:
        width, height = UNKNOWN_SIZE
    if rule.kind == "tile":
        return _tiles(rule, width, height, detail)
    if rule.kind == "patch":
        return _patches(rule, width, height, detail)
    if rule.kind == "anthropic":
        return _claude(rule.limits["auto"], width, height)
    if rule.kind == "area":
        return _area(rule.limits["auto"], width, height)
    return _gemini(width, height)


def media_tokens(model: Model, media: Media) -> tuple[int, str]:
    """Tokens of an image, sound or file, and how exact they are."""
    if media.kind is Source.IMAGE:
        return image_tokens(model, media.width, media.height, media.detail), _image_exactness(model, media)
    if media.kind is Source.AUDIO:
        seconds = media.seconds or media.size / _AUDIO_BYTES_PER_SECOND
        return ceil(seconds * AUDIO_TOKENS_PER_SECOND), _at_best(model, "approximate")
    is_pdf = media.label.lower().endswith("pdf")
    tokens = ceil(media.size / (_PDF_BYTES_PER_TOKEN if is_pdf else _FILE_BYTES_PER_TOKEN)) or _UNKNOWN_FILE
    return tokens, _at_best(model, "approximate")


def _image_exactness(model: Model, media: Media) -> str:
    is_doubtful = not media.width or not media.height or _is_measured_otherwise(model)
    return _at_best(model, "approximate" if is_doubtful else "exact")


def _is_measured_otherwise(model: Model) -> bool:
    return model.image.other is not None and model.image.other.basis == "measured"


def _at_best(model: Model, exactness: str) -> str:
    return model.exactness if exactness == "exact" or model.exactness == "fallback" else exactness


def _tiles(rule: ImageRule, width: float, height: float, detail: str) -> int:
    """Fit into 2048×2048, shrink the short side to 768, count tiles of 512. Nothing is ever enlarged."""
    if detail == "low":
        return rule.base
    shrink = min(1.0, _TILE_FIT / max(width, height))
    width, height = width * shrink, height * shrink
    shrink = min(1.0, _TILE_SIDE / min(width, height))
    return rule.base + rule.unit * _cells(round(width * shrink), round(height * shrink), _TILE)


def _patches(rule: ImageRule, width: float, height: float, detail: str) -> int:
    """Count patches of 32; above the budget shrink until a whole number of them fits."""
    budget, edge = rule.limits.get(detail, rule.limits["auto"])
    shrink = min(1.0, edge / max(width, height))
    width, height = max(1.0, width * shrink), max(1.0, height * shrink)
    patches = _cells(width, height, _PATCH)
    if patches > budget:
        shrink = sqrt(_PATCH**2 * budget / (width * height))
        columns, rows = width * shrink / _PATCH, height * shrink / _PATCH
        shrink *= min(max(1, floor(columns)) / columns, max(1, floor(rows)) / rows)
        patches = min(budget, _cells(round(width * shrink), round(height * shrink), _PATCH))
    return ceil(round(patches * rule.factor, 6))


def _claude(limit: Limit, width: float, height: float) -> int:
    """Patches of 28, of the largest size within the tier's edge and tokens that keeps the proportions."""
    budget, edge = limit
    longest, shortest = max(width, height), min(width, height)
    if longest <= edge and _cells(longest, shortest, _CLAUDE_PATCH) <= budget:
        return _cells(longest, shortest, _CLAUDE_PATCH)
    for columns in range(min(edge, int(longest)) // _CLAUDE_PATCH, 0, -1):
        tokens = columns * max(1, ceil(round(columns * shortest / longest, 6)))
        if tokens <= budget:
            return tokens
    return 1


def _area(limit: Limit, width: int, height: int) -> int:
    """A token for each 750 pixels: what Anthropic's guide said before it counted patches."""
    budget, edge = limit
    shrink = min(1.0, edge / max(width, height))
    return min(budget, ceil(width * height * shrink**2 / _PIXELS))


def _gemini(width: int, height: int) -> int:
    if max(width, height) <= _GEMINI_SMALL:
        return _GEMINI_IMAGE
    crop = min(_GEMINI_TILE, max(256, floor(min(width, height) / 1.5)))
    return _GEMINI_IMAGE * _cells(width, height, crop)


def _cells(width: float, height: float, side: int) -> int:
    return max(1, ceil(width / side)) * max(1, ceil(height / side))
