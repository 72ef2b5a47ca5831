"""What the rules of images come to, the one in use and the one told beside it, against every image of known price."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any

from bench.report import table
from ctxcore.counting.images import other_tokens, ruled_tokens
from ctxcore.counting.models import model
from ctxcore.item import Media, Source

# Out of bills of whole requests, less our count of their texts: (model, size, at least, at most)
BILLED = (
    ("gpt-5-mini", (597, 566), 411, 415),
    ("gpt-5-mini", (400, 301), 156, 164),
    ("gpt-4.1-nano", (540, 360), 503, 503),
    ("claude-haiku-4-5", (540, 360), 260, 260),
)


@dataclass(frozen=True, slots=True)
class Priced:
    """An image and what it costs; `factor` stands in for the model's own where the patches alone are known."""

    kind: str
    model: str
    size: tuple[int, int]
    low: int
    high: int
    detail: str = "auto"
    factor: float | None = None

    @property
    def used(self) -> int:
        rule = model(self.model).image
        return ruled_tokens(replace(rule, factor=self.factor or rule.factor), *self.size, self.detail)

    @property
    def other(self) -> int | None:
        media = Media(Source.IMAGE, *self.size, detail=self.detail)
        return None if self.factor else other_tokens(model(self.model), media)

    def is_met(self, told: int | None) -> bool:
        return told is not None and self.low <= told <= self.high


def priced(oracle: dict[str, Any]) -> Iterator[Priced]:
    """Every image of the file, and those of bills: published examples and what was charged."""
    for row in oracle["openai_tile"]:
        yield _one("tiles (guide, one bill)", row["model"], (row["w"], row["h"]), row["tokens"], row["detail"])
    for row in oracle["openai_patch_before_multiplier"]:
        patches = row["patches"]
        yield Priced("patches alone (guide)", "gpt-5-mini", (row["w"], row["h"]), patches, patches, factor=1.0)
    for name, factor in oracle["openai_patch_multiplier_published"].items():
        yield _one("patches × model (guide)", name, (1024, 1024), ceil(round(1024 * factor, 6)))
    for width, height, tokens in oracle["openai_patch_measured_1.2"]["rows"]:
        yield _one("patches (bills)", "gpt-6", (width, height), tokens)
    claude = oracle["anthropic_28px"]
    for row in claude["rows"]:
        yield _one("Claude (guide)", "claude-haiku-4-5", (row["w"], row["h"]), row["standard"])
        yield _one("Claude 4.7 (guide)", "claude-opus-4-7", (row["w"], row["h"]), row["high"])
    for width, height, tokens in claude["measured_haiku45_minus_65"]["rows"]:
        yield _one("Claude (bills)", "claude-haiku-4-5", (width, height), tokens)
    for width, height, tokens in oracle["anthropic_750_old"]["rows"]:
        yield _one("Claude (older guide)", "claude-haiku-4-5", (width, height), tokens)
    for name, size, low, high in BILLED:
        yield Priced("left of bills of requests", name, size, low, high)


def _one(kind: str, name: str, size: tuple[int, int], tokens: int, detail: str = "auto") -> Priced:
    return Priced(kind, name, size, tokens, tokens, detail)


def images_table(file: Path) -> str:
    """For each kind of price and each model: how many images each of its rules meets."""
    groups: dict[tuple[str, str], list[Priced]] = {}
    for one in priced(json.loads(file.read_text("utf-8"))):
        groups.setdefault((one.kind, one.model), []).append(one)
    header = ["prices of images", "model", "images", "rule in use", "meets", "rule told beside it", "meets", "misses"]
    rows = [_row(*key, found) for key, found in groups.items()]
    told = [row for row in rows if row[6] != "–"]
    beside = f"{_sum(told, 6)} of {_sum(told, 2)}"
    rows.append(["**all**", "", _sum(rows, 2), "", _sum(rows, 4), "", beside, ""])
    return table(header, rows)


def _sum(rows: list[list[str]], column: int) -> str:
    return str(sum(int(row[column]) for row in rows))


def _row(kind: str, name: str, found: list[Priced]) -> list[str]:
    rule = model(name).image
    other = rule.other if found[0].other is not None else None
    misses = ", ".join(
        f"{one.size[0]}×{one.size[1]}: {one.used:,} not {one.high:,}" for one in found if not one.is_met(one.used)
    )
    return [
        kind,
        name,
        str(len(found)),
        f"{rule.basis} {rule.kind}",
        str(sum(one.is_met(one.used) for one in found)),
        f"{other.basis} {other.kind}" if other else "–",
        str(sum(one.is_met(one.other) for one in found)) if other else "–",
        misses,
    ]
