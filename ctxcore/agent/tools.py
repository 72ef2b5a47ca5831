"""The agent's tools: search over some records, and a calculator. What goes wrong in one is an observation, no error."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.agent.arithmetic import ArithmeticFault, evaluate
from ctxcore.scenario import Record

SUMMARY_CHARS = 1_600  # of a found record, at most


@dataclass(frozen=True)
class Tool:
    """`run` gets the one argument as text. `parameters` is a JSON schema whose first property is that argument."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    run: Callable[[str], str]

    @property
    def definition(self) -> dict[str, Any]:
        """As OpenAI's chat request takes it."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": function}

    @property
    def argument(self) -> str:
        """The name of its one argument."""
        return next(iter(self.parameters.get("properties") or {}), "input")

    def arguments(self, text: str) -> str:
        """Arguments as the model of a native call writes them."""
        return json.dumps({self.argument: text}, ensure_ascii=False)


def one_argument(name: str, about: str) -> dict[str, Any]:
    """A schema for a tool that takes one text."""
    return {"type": "object", "properties": {name: {"type": "string", "description": about}}, "required": [name]}


def search(records: Sequence[Record], top: int = 5, name: str = "search") -> Tool:
    """BM25 over titles and texts. Answers JSON: the hits, best first, each with title, summary and link."""
    from ctxcore.retrieving.retrieval import BM25Retriever

    texts = tuple(f"{record.title}\n{record.text}" for record in records)
    retriever = BM25Retriever()

    def run(query: str) -> str:
        if not query.strip():
            return _json({"error": "The query is empty: give some words of what you are looking for."})
        hits = retriever.search(query, texts, top)
        found = [_result(records[hit.index]) for hit in hits]
        return _json({"query": query, "total": len(found), "results": found})

    about = f"Searches the public sources. Returns up to {top} results, each with title, summary and link."
    return Tool(name, about, one_argument("query", "keywords"), run)


def _result(record: Record) -> dict[str, str]:
    text = record.text if len(record.text) <= SUMMARY_CHARS else record.text[: SUMMARY_CHARS - 1] + "…"
    return {"title": record.title or record.id, "summary": text, "link": str(record.extra.get("link") or record.id)}


def calculator() -> Tool:
    """Arithmetic, written as people write it: `40 * (9,800 + 1,150)`, `12 % 5`, `15%`."""

    def run(expression: str) -> str:
        try:
            return evaluate(expression)
        except ArithmeticFault as fault:
            return f"error: {fault}"

    about = "Works out an arithmetic expression: + - * / // % ** and brackets; 15% is a percentage."
    return Tool("calculator", about, one_argument("expression", "such as 40 * (9800 + 1150)"), run)


def perform(tools: Sequence[Tool], name: str, arguments: str) -> str:
    """What the tool of that name answers. A tool that is not there or that fails answers with what is wrong."""
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        return f"error: there is no tool {name!r}; there are {', '.join(tool.name for tool in tools) or 'none'}."
    try:
        return tool.run(argument_of(arguments))
    except Exception as cause:  # a tool is anybody's code: the agent reads what went wrong and goes on
        return f"error: {name} failed with {type(cause).__name__}: {cause}"


def argument_of(arguments: str) -> str:
    """The one argument of a call: the first value of a JSON object; anything else as it stands."""
    try:
        value = json.loads(arguments)
    except ValueError:
        return arguments
    if isinstance(value, Mapping):
        value = next(iter(value.values()), "")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
