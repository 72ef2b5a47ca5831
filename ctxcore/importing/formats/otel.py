"""OpenTelemetry in OTLP JSON: each LLM span is the context of one call, which repeats the history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.attributes import read_call
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.otel_parts import say_all
from ctxcore.importing.shapes import head, listed, mapping, text, unpacked

MARKS = ("gen_ai.input.messages", "llm.input_messages", "gen_ai.prompt", "ai.prompt.messages", "input.value")
EVENTS = ("gen_ai.system.message", "gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message")
Span = Mapping[str, Any]


def fits(value: Any) -> bool:
    if isinstance(value, list):
        first = mapping(head(value))
        return "attributes" in first and bool({"traceId", "trace_id", "spanId", "context"} & first.keys())
    return isinstance(value, Mapping) and ("resourceSpans" in value or "resourceLogs" in value)


def find(given: Given) -> Sequence[Found]:
    """The spans that hold a prompt, in the order of time; the last one is what the model saw at the end."""
    spans = [span for span in _spans(given.value) if _is_call(span)]
    spans.sort(key=lambda span: _time(span))
    return [
        Found(partial(_read, span), is_default=at == len(spans) - 1, says=text(span.get("name")))
        for at, span in enumerate(spans)
    ] or [Found(Draft, is_default=True)]


def _spans(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [{**one, "attributes": plain(one.get("attributes"))} for one in value if isinstance(one, Mapping)]
    scopes = [scope for one in listed(value.get("resourceSpans")) for scope in listed(mapping(one).get("scopeSpans"))]
    raw = [mapping(span) for scope in scopes for span in listed(mapping(scope).get("spans"))]
    return [{**span, "attributes": plain(span.get("attributes"))} for span in raw]


def plain(attributes: Any) -> dict[str, Any]:
    """OTLP's list of keys and typed values as a dict; a flat dict as it is."""
    if isinstance(attributes, Mapping):
        return dict(attributes)
    return {text(mapping(one).get("key")): _value(mapping(one).get("value")) for one in listed(attributes)}


def _value(value: Any) -> Any:
    given = mapping(value)
    if "arrayValue" in given:
        return [_value(one) for one in listed(mapping(given["arrayValue"]).get("values"))]
    if "kvlistValue" in given:
        return plain(mapping(given["kvlistValue"]).get("values"))
    if "intValue" in given:
        return int(given["intValue"]) if str(given["intValue"]).lstrip("-").isdigit() else given["intValue"]
    return next(iter(given.values()), None)


def _is_call(span: Span) -> bool:
    attributes = mapping(span.get("attributes"))
    if text(attributes.get("openinference.span.kind")) not in ("", "LLM"):
        return False
    named = any(name in attributes or any(key.startswith(f"{name}.") for key in attributes) for name in MARKS)
    return named or any(text(mapping(event).get("name")) in EVENTS for event in listed(span.get("events")))


def _time(span: Span) -> str:
    """As a text of equal length; the order of the file where a time is no number."""
    started = str(span.get("startTimeUnixNano") or span.get("start_time") or "")
    return started.zfill(24) if started.isdigit() else started if ":" in started else ""


def _read(span: Span) -> Draft:
    draft = Draft(records="messages")
    read_call(draft, mapping(span.get("attributes")))
    if not draft.messages:
        _events(draft, span)
    return draft


def _events(draft: Draft, span: Span) -> None:
    """Conventions up to 1.36: each message is an event."""
    for index, event in enumerate(listed(span.get("events"))):
        name, fields = text(mapping(event).get("name")), plain(mapping(event).get("attributes"))
        body = mapping(unpacked(mapping(event).get("body"))) or fields
        if name in EVENTS:
            role = name.split(".")[1]
            key = body.get("id") if role == "tool" else None
            say_all(draft, [{"role": role, **body, **({"tool_call_id": key} if key else {})}], f"/events/{index}")
        elif name == "gen_ai.choice":
            message = mapping(unpacked(body.get("message"))) or body
            say_all(draft, [{"role": "assistant", **message}], f"/events/{index}")


OTEL = Format("otel", "OpenTelemetry GenAI or OpenInference spans (OTLP JSON)", fits, find)
