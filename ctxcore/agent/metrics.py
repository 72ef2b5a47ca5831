"""What a run cost and whether it came to its end: the numbers of article 3 (c13), from the steps alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ctxcore.agent.step import Step

# What the article's author tells of one task, without saying how often it was run: an anecdote to stand beside ours.
CLAIMED: Mapping[str, Mapping[str, float | bool]] = {
    "unmanaged": {"over_window_at": 7, "window": 8_000, "repeated_rate": 0.40, "finished": False},
    "managed": {"steps": 9, "peak": 5_000, "repeated_rate": 0.08, "growth_change": -0.60, "finished": True},
}


@dataclass(frozen=True, slots=True)
class Metrics:
    """Tokens are those of the payloads as the provider counts them."""

    steps: int
    tokens: tuple[int, ...]  # of each step's payload
    window: int
    calls: int
    repeats: int  # calls that had been made before
    finished: bool
    ended: str

    @property
    def peak(self) -> int:
        return max(self.tokens, default=0)

    @property
    def growth(self) -> float:
        """Tokens a round, on average."""
        return (self.tokens[-1] - self.tokens[0]) / (len(self.tokens) - 1) if len(self.tokens) > 1 else 0.0

    @property
    def repeated_rate(self) -> float:
        """Share of the calls that had been made before, 0–1."""
        return self.repeats / self.calls if self.calls else 0.0

    @property
    def over_window_at(self) -> int | None:
        """The first step whose payload is beyond the window."""
        return next((at for at, tokens in enumerate(self.tokens, 1) if tokens > self.window), None)

    @property
    def total(self) -> int:
        """Tokens of all prompts together: what is paid for."""
        return sum(self.tokens)

    def to_json(self) -> dict[str, Any]:
        return {
            "steps": self.steps,
            "tokens": list(self.tokens),
            "window": self.window,
            "peak": self.peak,
            "growth": round(self.growth, 1),
            "calls": self.calls,
            "repeats": self.repeats,
            "repeated_rate": round(self.repeated_rate, 4),
            "total": self.total,
            "over_window_at": self.over_window_at,
            "finished": self.finished,
            "ended": self.ended,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    managed: Metrics
    unmanaged: Metrics

    @property
    def growth_change(self) -> float:
        """Relative change of the growth a round by management; -0.6 is 60 % less."""
        return self.managed.growth / self.unmanaged.growth - 1 if self.unmanaged.growth else 0.0

    @property
    def peak_change(self) -> float:
        return self.managed.peak / self.unmanaged.peak - 1 if self.unmanaged.peak else 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "managed": self.managed.to_json(),
            "unmanaged": self.unmanaged.to_json(),
            "growth_change": round(self.growth_change, 4),
            "peak_change": round(self.peak_change, 4),
            "claimed": {name: dict(said) for name, said in CLAIMED.items()},
        }


def metrics(steps: Iterable[Step]) -> Metrics:
    made = tuple(steps)
    calls = [step for step in made if step.call]
    return Metrics(
        steps=len(made),
        tokens=tuple(step.predicted for step in made),
        window=made[-1].trace.budget.window if made else 0,
        calls=len(calls),
        repeats=sum(step.repeated for step in calls),
        finished=any(step.finished for step in made),
        ended=made[-1].ended if made else "",
    )


def compared(managed: Iterable[Step], unmanaged: Iterable[Step]) -> Comparison:
    """The same task with and without management."""
    return Comparison(metrics(managed), metrics(unmanaged))
