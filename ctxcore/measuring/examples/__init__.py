"""Measurements that ship with the product, made with the model of `make model`."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from ctxcore.measuring.measured import Measured, from_json


@cache
def examples() -> tuple[Measured, ...]:
    files = sorted(entry.name for entry in resources.files(__name__).iterdir() if entry.name.endswith(".json"))
    return tuple(from_json(json.loads((resources.files(__name__) / name).read_text("utf-8"))) for name in files)
