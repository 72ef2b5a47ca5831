"""Article 2's own names, as doors to the same engine: its layer, with and without memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ctxcore.build import build
from ctxcore.errors import InputError
from ctxcore.model.replies import ChatModel
from ctxcore.scenario import Record, Scenario
from ctxcore.services import Hit, Services
from ctxcore.serving.watch import Refused, Watched
from ctxcore.trace import Trace


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
        self,
        system_prompt: str,
        tools: Sequence[Mapping[str, Any]],
        retriever: Search | None = None,
        model: str = "llama3-70b-8192",
        max_tokens: int = 32_000,
        *,
        variant: str = "repaired",
    ) -> None:
        self.system_prompt, self.tools, self.retriever = system_prompt, tuple(tools), retriever
        self.model, self.max_tokens, self.variant = model, max_tokens, variant
        self.trace: Trace | None = None

    def compile(self, conversation_history: Sequence[ContextItem | Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Messages for any chat API, from the history whose last user message is the question."""
        messages = [
            {"role": "system", "content": self.system_prompt},
            *(_message(item) for item in conversation_history),
        ]
        question = next((str(m.get("content") or "") for m in reversed(messages) if m["role"] == "user"), "")
        asked = Searched(self.retriever) if self.retriever and question else None
        found = asked.texts(question) if asked else ()
        scenario = Scenario.from_messages(messages, tools=self.tools).edited(
            documents=tuple(Record(f"doc-{at:02d}", text) for at, text in enumerate(found, 1)),
            memory=tuple(Record(f"memory-{at:02d}", note) for at, note in enumerate(self._notes(), 1)),
        )
        services = Services(_built_in().compressor, InGivenOrder(asked)) if asked else None
        self.trace = build(
            scenario,
            services=services,
            system="compiler",
            variant=self.variant,
            model=self.model,
            window=self.max_tokens,
        )
        return self.trace.messages

    def run_agent(
        self,
        user_message: str,
        conversation_history: Sequence[ContextItem | Mapping[str, Any]] | None = None,
        *,
        chat: ChatModel | None = None,
    ) -> tuple[str, list[ContextItem | Mapping[str, Any]]]:
        """The reply, and the history that goes on with it; the caller's own list is left as it is.

        `chat` is who is asked; without it the endpoint that the environment names. Raises InputError or ModelError.
        """
        history = [*(conversation_history or ()), ContextItem("user", user_message)]
        messages = self.compile(history)
        asked = chat or _from_environment()
        tools = self.trace.tools if self.trace else ()
        reply = asked.reply(messages, tools=tools, temperature=0.2)
        return reply.text, [*history, ContextItem("assistant", reply.text)]

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


class Searched(Watched[Any]):
    """Your retriever under watch: where it is late or fails, the call goes on without documents, and the ledger says
    so."""

    rule = "search-failed"

    def texts(self, question: str) -> tuple[str, ...]:
        return self.ask(lambda: tuple(self.service.search(question)), _texts) or ()


def _texts(found: tuple[Any, ...]) -> tuple[str, ...]:
    if not all(isinstance(text, str) for text in found):
        raise Refused("documents-no-texts")
    return found


class InGivenOrder:
    """A retriever for texts that were ranked before: the first is best, 1.0; scores fall evenly."""

    trusted = True
    fingerprint = "in-given-order/1"
    scale, threshold = "rank given by your retriever", None

    def __init__(self, searched: Searched) -> None:
        self.told = searched.told

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        return tuple(Hit(at, 1 - at / max(1, len(texts))) for at in range(min(k, len(texts))))


def _from_environment() -> ChatModel:
    from ctxcore.model.endpoint import endpoint_from_env

    found = endpoint_from_env()
    if found is None:
        raise InputError("agent-no-model", option="chat")
    return found


def _built_in() -> Services:
    from ctxcore.defaults import built_in_services

    return built_in_services()


def _message(item: ContextItem | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(item, ContextItem):
        return {"role": str(getattr(item.role, "value", item.role)), "content": item.content}
    return dict(item)
