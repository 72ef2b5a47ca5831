"""Signs that stand close together: each may be harmless, several of them within a few sentences are an order.

A sign has a weight; what only whole phrases would find (orders.json, `marks`) is found in other words as well.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

HEAVY, ENOUGH = 3, 7  # weight of a sign that is looked for everywhere; sum of weights that is taken for an order
NEAR = 240  # characters around a heavy sign in which the others count


@dataclass(frozen=True, slots=True)
class Sign:
    name: str
    weight: int
    pattern: re.Pattern[str]


def is_order(text: str) -> bool:
    """Whether somewhere in the text the signs that stand together weigh enough. Linear: light signs are looked for
    around heavy ones only."""
    signs = _signs()
    heavy = sorted(found.span() for sign in signs if sign.weight >= HEAVY for found in sign.pattern.finditer(text))
    done = 0
    for start, end in heavy:
        if start < done:
            continue  # it stands where the one before it was weighed
        low, high = max(0, start - NEAR), end + NEAR
        if sum(sign.weight for sign in signs if sign.pattern.search(text, low, high)) >= ENOUGH:
            return True
        done = end + NEAR // 2
    return False


@cache
def _signs() -> tuple[Sign, ...]:
    data = json.loads(resources.files(__package__).joinpath("orders.json").read_text("utf-8"))["signs"]
    flags = re.IGNORECASE | re.MULTILINE
    return tuple(Sign(name, one["weight"], re.compile(one["pattern"], flags)) for name, one in data.items())
