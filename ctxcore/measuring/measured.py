"""A measurement as a file: what was asked of which model, every answer, and the curves that it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ctxcore.errors import InputError
from ctxcore.measuring.estimate import fit, points
from ctxcore.measuring.measure import Observation
from ctxcore.measuring.plan import Plan
from ctxcore.placing.given import as_text

SCHEMA = "ctxcore.curve/1"


@dataclass(frozen=True)
class Measured:
    """`window`: of the model, in tokens, where it is known: it tells the fill at which a length was measured."""

    name: str
    model: str
    date: str  # ISO day
    plan: Plan
    seen: tuple[Observation, ...]
    window: int | None = None
    about: Mapping[str, Any] = field(default_factory=dict)  # engine, settings: whatever explains it

    @property
    def is_complete(self) -> bool:
        return sum(not one.error for one in self.seen) >= self.plan.calls

    def as_text(self) -> str:
        """The fitted curves as the layout takes them (`placing/given.py`); "" without any."""
        curves = {tokens: made.curve for tokens in self.plan.lengths if (made := fit(points(self.seen, tokens)))}
        answers = sum(not one.error for one in self.seen)
        source = f"measured: {self.model}, {self.date}, {answers} answers"
        return as_text(self.name, source, self.window or max(curves), curves) if curves else ""

    def to_json(self) -> dict[str, Any]:
        seen = [one.to_json() for one in self.seen]
        rest = {"name": self.name, "model": self.model, "date": self.date, "window": self.window}
        return {"schema": SCHEMA, **rest, "about": dict(self.about), "plan": asdict(self.plan), "seen": seen}


def from_json(data: Mapping[str, Any]) -> Measured:
    """Raises InputError for what is no measurement."""
    if data.get("schema") != SCHEMA:
        raise InputError("curve-schema", found=str(data.get("schema"))[:40], schema=SCHEMA)
    try:
        plan = {**data["plan"], "lengths": tuple(data["plan"]["lengths"]), "kinds": tuple(data["plan"]["kinds"])}
        seen = tuple(map(_observation, data["seen"]))
        return Measured(
            data["name"], data["model"], data["date"], Plan(**plan), seen, data.get("window"), data.get("about", {})
        )
    except (KeyError, TypeError, AttributeError) as cause:
        raise InputError("curve-damaged", cause=cause) from cause


def _observation(row: Mapping[str, Any]) -> Observation:
    names: Sequence[str] = [each.name for each in fields(Observation)]
    return Observation(**{name: row[name] for name in names if name in row})
