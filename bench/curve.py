"""Measures the model of `make model` and writes the curve that ships: `python -m bench.curve [PORT]`, again to go on.

Plan, probes and file are those of the page Measure. About ten minutes on two idle cores; every answer is kept at once.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from ctxcore.counting.tokens import counter_for
from ctxcore.measuring.estimate import points
from ctxcore.measuring.measure import measure
from ctxcore.measuring.measured import Measured, from_json
from ctxcore.measuring.plan import Plan, probes
from ctxcore.model.endpoint import local_endpoint

PLAN = Plan(lengths=(1_000, 2_000, 4_000), places=8, trials=5)
FILE = Path(__file__).parents[1] / "ctxcore/measuring/examples/smollm2-135m.json"
WINDOW = 8_192  # tokens that the model was trained for


def begun() -> Measured:
    if FILE.exists() and (kept := from_json(json.loads(FILE.read_text("utf-8")))).plan == PLAN:
        return kept
    about = {
        "weights": "SmolLM2-135M-Instruct, Q8_0",
        "engine": f"xllamacpp {version('xllamacpp')}",
        "settings": "temperature 0, two threads, prompt cache on",
        "made by": "python -m bench.curve",
    }
    name = "SmolLM2 135M (example)"
    return Measured(name, "smollm2-135m", f"{datetime.now(UTC):%Y-%m-%d}", PLAN, (), WINDOW, about)


def main(port: int) -> int:
    endpoint = local_endpoint(port)
    if endpoint is None:
        print(f"No local model answers on port {port}: make model", file=sys.stderr)
        return 2
    kept = begun()
    known, seen = {one.key: one for one in kept.seen if not one.error}, []
    for one in measure(probes(PLAN, counter_for(endpoint.name)), endpoint, known=known):
        seen.append(one)
        if one.key not in known:
            rest = [old for old in kept.seen if old.key not in {new.key for new in seen}]
            made = replace(kept, seen=(*seen, *rest))
            FILE.write_text(json.dumps(made.to_json(), ensure_ascii=False, indent=1) + "\n", "utf-8")
    for tokens in PLAN.lengths:
        print(tokens, " ".join(f"{point.share:.1f}" for point in points(seen, tokens)))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 18080))
