"""A curve as text, so that a measured one can be an option of a stage, a line of a command and a file."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ctxcore.errors import InputError
from ctxcore.placing.curves import Curve, Points
from ctxcore.placing.presets import Preset

PLACES = 21  # evenly spaced, at which a curve is written down


def as_text(name: str, source: str, window: int, curves: Mapping[int, Curve]) -> str:
    """Curves by the length of the payload, in tokens, at which they hold, and the window that tells its fill."""
    rows = {str(tokens): [round(y, 4) for y in curve.points(PLACES)] for tokens, curve in sorted(curves.items())}
    return json.dumps({"name": name, "source": source, "window": window, "curves": rows}, ensure_ascii=False)


def preset_from(text: str) -> Preset:
    """At each fill, the curve whose length is next to it. Raises InputError for what is no such text."""
    try:
        data = json.loads(text)
        window, rows = int(data["window"]), {int(key): tuple(map(float, ys)) for key, ys in data["curves"].items()}
        name, source = str(data["name"]), str(data["source"])
    except (ValueError, KeyError, TypeError, AttributeError) as cause:
        raise InputError("curve-shape") from cause
    if not rows or window < 1 or min(map(len, rows.values())) < 2:
        raise InputError("curve-places")
    curves = {tokens: Points(tuple(n / (len(ys) - 1) for n in range(len(ys))), ys) for tokens, ys in rows.items()}
    return Preset(name, source, len(curves) > 1, lambda fill: curves[min(curves, key=lambda t: abs(t - fill * window))])
