"""The curves to choose from: published measurements, each with its source, and where a curve bends with the fill.

The tables lie beside this file: `fills.csv` (Veseli et al., COLM 2025: six open models, retrieval at seven fills of the
window and three places), `documents.csv` (Liu et al., TACL 2024: the answer in one of 10, 20 or 30 documents) and
`needles.csv` (G. Kamradt's raw needle runs, answers graded 7 of 10 or better, pooled by fill and depth).
"""

from __future__ import annotations

import csv
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from ctxcore.errors import InputError
from ctxcore.placing.curves import FLAT, Curve, Decay, Points, between

DEFAULT = "fill-aware"
PLACES = ("first", "middle", "last")
SHOWN = {  # of Liu et al., with 20 documents
    "liu-gpt-3-5": "GPT-3.5-Turbo",
    "liu-claude-1-3": "Claude-1.3",
    "liu-llama-2-70b": "Llama-2-70b-chat",
    "liu-longchat-13b": "LongChat-13B (16K)",
    "liu-mpt-30b": "MPT-30B-Instruct",
}
NEEDLES = {"needles-gpt-4": "gpt-4-1106-128k", "needles-claude-2-1": "claude-2.1"}


@dataclass(frozen=True)
class Preset:
    """`curve` gives the curve at a fill (payload / window); `bends` says whether the fill changes it."""

    key: str
    source: str
    bends: bool
    curve: Callable[[float], Curve]


def curve_at(fill: float, preset: str | Preset = DEFAULT) -> Curve:
    """The curve of a preset at a fill of the window; a payload over its window is read at fill 1. Raises InputError."""
    return (preset_called(preset) if isinstance(preset, str) else preset).curve(fill)


def preset_called(key: str) -> Preset:
    if key not in presets():
        raise InputError("no-curve", name=key, there=list(presets()))
    return presets()[key]


@cache
def presets() -> Mapping[str, Preset]:
    """By key, the default first."""
    found = [Preset(DEFAULT, "Veseli et al., COLM 2025: mean of six open models", True, _fill_aware)]
    found += [
        Preset(key, f"Liu et al., TACL 2024: {model}, 20 documents", False, _constant(_by_documents(model)))
        for key, model in SHOWN.items()
    ]
    found += [
        Preset(key, f"G. Kamradt, needle runs of 2023: {model}", True, _nearest(_by_needles(model)))
        for key, model in NEEDLES.items()
    ]
    found.append(
        Preset("flat", "no effect of the place: Chroma, 2025 (18 models, needle task)", False, _constant(FLAT))
    )
    return {preset.key: preset for preset in found}


def _fill_aware(fill: float) -> Curve:
    rows = _fills()
    fills = [row[0] for row in rows]
    fill = min(max(fill, fills[0]), fills[-1])
    at = min(bisect_right(fills, fill), len(fills) - 1)
    (low, from_curve), (high, to_curve) = rows[at - 1], rows[at]
    return between(from_curve, to_curve, (fill - low) / (high - low))


@cache
def _fills() -> tuple[tuple[float, Decay], ...]:
    """Fill and curve, ascending: through the mean of all models at each of the three places."""
    by_fill: dict[float, list[tuple[float, ...]]] = {}
    for row in _rows("fills"):
        by_fill.setdefault(float(row["fill"]), []).append(tuple(float(row[place]) for place in PLACES))
    return tuple(
        (fill, Decay.through(*(_mean(column) for column in zip(*rows, strict=True))))
        for fill, rows in sorted(by_fill.items())
    )


def _by_documents(model: str, documents: int = 20) -> Points:
    rows = [row for row in _rows("documents") if row["model"] == model and row["documents"] == str(documents)]
    found = sorted((int(row["index"]) / (documents - 1), float(row["accuracy"])) for row in rows)
    return Points(tuple(x for x, _ in found), tuple(y for _, y in found))


def _by_needles(model: str) -> tuple[tuple[float, Points], ...]:
    """Upper end of each band of fills, and its curve."""
    bands: dict[float, list[tuple[float, float]]] = {}
    for row in _rows("needles"):
        if row["model"] == model:
            point = (float(row["depth"]) / 100, int(row["found"]) / int(row["runs"]))
            bands.setdefault(float(row["fill"]), []).append(point)
    return tuple((band, Points(*zip(*sorted(points), strict=True))) for band, points in sorted(bands.items()))


def _nearest(bands: tuple[tuple[float, Points], ...]) -> Callable[[float], Curve]:
    ends = [end for end, _ in bands]
    return lambda fill: bands[min(bisect_left(ends, fill), len(bands) - 1)][1]


def _constant(curve: Curve) -> Callable[[float], Curve]:
    return lambda fill: curve


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


@cache
def _rows(table: str) -> tuple[Mapping[str, str], ...]:
    text = resources.files(__package__).joinpath(f"tables/{table}.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))
