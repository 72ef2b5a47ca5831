"""The prefix that two requests share: what a provider's cache can serve again, and what a change costs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.counting.count import count_request
from ctxcore.counting.models import model as model_called
from ctxcore.counting.tokens import counter_for
from ctxcore.reading import message_text
from ctxcore.words import sentence

LEAST = 1024  # tokens of a prefix below which OpenAI and Anthropic cache nothing


@dataclass(frozen=True, slots=True)
class Prefix:
    """`same`: tokens from the front in which the two agree. `lost`: tokens of the earlier request that a cache would
    have served, had nothing in front of them changed. `message`: index in the later one of the first that differs;
    None where that is the tools, or nothing."""

    same: int
    before: int
    after: int
    message: int | None
    where: str  # "" | tools | message: "" where the later request only goes on where the earlier one ends
    lost: int
    price: float | None  # USD, of reading those tokens anew at the full price of input

    @property
    def is_broken(self) -> bool:
        return self.lost > 0

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def says(self, lang: str = "en") -> str:
        if not self.is_broken:
            return sentence("prefix-kept", {"same": self.same, "before": self.before}, lang)
        facts = {"same": self.same, "lost": self.lost, "message": -1 if self.message is None else self.message}
        cents = "–" if self.price is None else f"{100 * self.price:.3f}"
        rule = "prefix-tools" if self.where == "tools" else "prefix-broken"
        return sentence(rule, {**facts, "cents": cents}, lang)


def cached_prefix(before: Mapping[str, Any], after: Mapping[str, Any], model: str) -> Prefix:
    """Of two chat requests (`messages` and `tools`) for one model. The tools come first, as providers read them.

    Where the first difference lies inside a text, `same` ends with the last token before it.
    """
    (old_tools, old), (new_tools, new) = _costs(before, model), _costs(after, model)
    first, second = _messages(before), _messages(after)
    totals = old_tools + sum(old), new_tools + sum(new)
    if list(before.get("tools") or ()) != list(after.get("tools") or ()):
        return _prefix(0, totals, None, "tools", model)
    shared = 0
    while shared < min(len(first), len(second)) and first[shared] == second[shared]:
        shared += 1
    same = old_tools + sum(old[:shared])
    if shared == len(first):
        return _prefix(same, (same, totals[1]), None, "", model)
    if shared < len(second) and first[shared].get("role") == second[shared].get("role"):
        common = _common(message_text(first[shared]), message_text(second[shared]))
        same += max(0, counter_for(model).count(common) - 1) if common else 0
    return _prefix(same, totals, shared if shared < len(second) else None, "message", model)


def _common(first: str, second: str) -> str:
    """The words from the front in which both agree, found by halves."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if first[:middle] == second[:middle] else (low, middle - 1)
    return first[:low]


def _prefix(same: int, totals: tuple[int, int], message: int | None, where: str, model: str) -> Prefix:
    before, after = totals
    lost = max(0, before - same) if before >= LEAST and where else 0
    price = model_called(model).input_price
    return Prefix(same, before, after, message, where, lost, None if price is None else lost * price / 1e6)


def _messages(request: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return list(request.get("messages") or ())


def _costs(request: Mapping[str, Any], model: str) -> tuple[int, list[int]]:
    """Tokens of the tools, and of each message with its framing; what opens the reply is no part of a prefix."""
    costs: defaultdict[int | None, int] = defaultdict(int)
    for row in count_request(request, model, "openai").rows:
        if row.rule != "priming":
            costs[row.message] += row.tokens
    return costs[None], [costs[at] for at in range(len(_messages(request)))]
