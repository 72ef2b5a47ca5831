"""The articles' own names, as doors to the same engine: their signatures in, their messages out, the trace beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

from ctxcore.build import build
from ctxcore.scenario import Record, Scenario
from ctxcore.services import Hit, Services
from ctxcore.trace import Trace

CAPS = {"system_prompt_max": "system", "task_state_max": "state", "agent_notes_max": "notes", "recent_conversation_max": "recent",
        "tool_results_max": "tools", "retrieved_docs_max": "docs", "history_max": "history"}


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
        return {CAPS[f.name]: str(getattr(self, f.name)) for f in fields(self) if f.name in CAPS and getattr(self, f.name) != f.default}


class GSSCPipeline:
    """Article 1's pipeline. `trace` holds the last build: every stage, every decision."""

    def __init__(self, budget: ContextBudget | None = None, max_item_tokens: int = 2_000, *, variant: str = "repaired") -> None:
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
            "system_prompt": system_prompt, "user_message": user_message, "conversation_history": conversation_history,
            "tool_results": tool_results, "retrieved_docs": retrieved_docs, "task_state": task_state, "agent_notes": agent_notes,
        }
        scenario = Scenario.from_json({key: value for key, value in given.items() if value is not None})
        self.trace = build(
            scenario, system="gssc", variant=self.variant, window=self.budget.total_tokens, reserve=self.budget.reserve,
            limits=self.budget.limits,
            options={"summarize.max_item_tokens": self.max_item_tokens, "select.long_item": self.max_item_tokens},
        )
        return self.trace.messages


class Search(Protocol):
    """Article 2's retriever: the texts that serve a question, best first."""

    def search(self, query: str) -> Sequence[str]: ...


@dataclass(frozen=True)
class ContextItem:
    """Article 2's message."""

    role: str
    content: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


class ContextLayer:
    """Article 2's layer. `compile` calls no model; `trace` holds the last build."""

    def __init__(
        self, system_prompt: str, tools: Sequence[Mapping[str, Any]], retriever: Search | None = None,
        model: str = "llama3-70b-8192", max_tokens: int = 32_000, *, variant: str = "repaired",
    ) -> None:
        self.system_prompt, self.tools, self.retriever = system_prompt, tuple(tools), retriever
        self.model, self.max_tokens, self.variant = model, max_tokens, variant
        self.trace: Trace | None = None

    def compile(self, conversation_history: Sequence[ContextItem | Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Messages for any chat API, from the history whose last user message is the question."""
        messages = [{"role": "system", "content": self.system_prompt}, *(_message(item) for item in conversation_history)]
        question = next((str(m.get("content") or "") for m in reversed(messages) if m["role"] == "user"), "")
        found = tuple(self.retriever.search(question)) if self.retriever and question else ()
        scenario = Scenario.from_messages(messages, tools=self.tools).edited(
            documents=tuple(Record(f"doc-{at:02d}", text) for at, text in enumerate(found, 1)),
            memory=tuple(Record(f"memory-{at:02d}", note) for at, note in enumerate(self._notes(), 1)),
        )
        services = Services(_built_in().compressor, InGivenOrder()) if found else None
        self.trace = build(scenario, services=services, system="compiler", variant=self.variant, model=self.model, window=self.max_tokens)
        return self.trace.messages

    def _notes(self) -> Sequence[str]:
        return ()


class ContextLayerWithMemory(ContextLayer):
    """The layer with notes that outlive a conversation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._memory: list[str] = []

    def add_memory(self, note: str) -> None:
        self._memory.append(note)

    def _notes(self) -> Sequence[str]:
        return tuple(self._memory)


class InGivenOrder:
    """A retriever for texts that were ranked before: the first is best, 1.0; scores fall evenly."""

    fingerprint = "in-given-order/1"
    scale = "rank given by your retriever"

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        return tuple(Hit(at, 1 - at / max(1, len(texts))) for at in range(min(k, len(texts))))


def _built_in() -> Services:
    from ctxcore.defaults import built_in_services

    return built_in_services()


def _message(item: ContextItem | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(item, ContextItem):
        return {"role": str(getattr(item.role, "value", item.role)), "content": item.content}
    return dict(item)
