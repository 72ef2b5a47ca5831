"""Article 1's own names, as doors to the same engine: its signatures in, its messages out, the trace beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from ctxcore.build import build
from ctxcore.scenario import Scenario
from ctxcore.trace import Trace

CAPS = {
    "system_prompt_max": "system",
    "task_state_max": "state",
    "agent_notes_max": "notes",
    "recent_conversation_max": "recent",
    "tool_results_max": "tools",
    "retrieved_docs_max": "docs",
    "history_max": "history",
}


@dataclass(frozen=True)
class ContextBudget:
    """Article 1's budget, in tokens. A cap left at its default scales with the window; one that you set does not."""

    total_tokens: int = 128_000
    output_reserve: int = 4_096
    system_prompt_max: int = 2_000
    task_state_max: int = 3_000
    agent_notes_max: int = 2_000
    recent_conversation_max: int = 20_000
    tool_results_max: int = 40_000
    retrieved_docs_max: int = 20_000
    history_max: int = 30_000

    @property
    def reserve(self) -> int | None:
        """None where it was left at its default: then a small window has a small one."""
        return None if self.output_reserve == ContextBudget.output_reserve else self.output_reserve

    @property
    def limits(self) -> dict[str, str]:
        return {
            CAPS[f.name]: str(getattr(self, f.name))
            for f in fields(self)
            if f.name in CAPS and getattr(self, f.name) != f.default
        }


class GSSCPipeline:
    """Article 1's pipeline. `trace` holds the last build: every stage, every decision."""

    def __init__(
        self, budget: ContextBudget | None = None, max_item_tokens: int = 2_000, *, variant: str = "repaired"
    ) -> None:
        self.budget, self.max_item_tokens, self.variant = budget or ContextBudget(), max_item_tokens, variant
        self.trace: Trace | None = None

    def build(
        self,
        system_prompt: str,
        user_message: str,
        conversation_history: Sequence[Mapping[str, Any]] | None = None,
        tool_results: Sequence[Mapping[str, Any]] | None = None,
        retrieved_docs: Sequence[Mapping[str, Any]] | None = None,
        task_state: Mapping[str, Any] | None = None,
        agent_notes: str | None = None,
    ) -> list[dict[str, Any]]:
        """Messages for any chat API. Results are `{tool, result, recent}`, documents `{content, score}`."""
        given = {
            "system_prompt": system_prompt,
            "user_message": user_message,
            "conversation_history": conversation_history,
            "tool_results": tool_results,
            "retrieved_docs": retrieved_docs,
            "task_state": task_state,
            "agent_notes": agent_notes,
        }
        scenario = Scenario.from_json({key: value for key, value in given.items() if value is not None})
        self.trace = build(
            scenario,
            system="gssc",
            variant=self.variant,
            window=self.budget.total_tokens,
            reserve=self.budget.reserve,
            limits=self.budget.limits,
            options={"summarize.max_item_tokens": self.max_item_tokens, "select.long_item": self.max_item_tokens},
        )
        return self.trace.messages
