"""Attributes of one LLM span, in the dialects that frameworks write, to a conversation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ctxcore.importing.draft import Draft
from ctxcore.importing.otel_parts import add_definitions, say_all, sdk_call
from ctxcore.importing.shapes import kind, listed, mapping, text, unpacked
from ctxcore.importing.speech import Message, assistant, call, compact, text_part
from ctxcore.scenario import Record

NUMBERED = re.compile(r"^(\d+)\.(.+)$")
MODELS = ("gen_ai.request.model", "gen_ai.response.model", "llm.model_name", "ai.model.id")
BILLED = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
ASKED = ("gen_ai.input.messages", "gen_ai.prompt", "ai.prompt.messages", "gcp.vertex.agent.llm_request", "input.value")


def read_call(draft: Draft, attributes: Mapping[str, Any]) -> None:
    """What the model was sent, what it answered, its tools, and documents that were retrieved for it."""
    add_tools(draft, attributes)
    if "gen_ai.input.messages" in attributes:
        _semantic(draft, attributes)
    elif turns := indexed(attributes, "llm.input_messages"):
        _inference(draft, turns, "llm.input_messages")
        _inference(draft, indexed(attributes, "llm.output_messages"), "llm.output_messages", is_answer=True)
    elif turns := indexed(attributes, "gen_ai.prompt"):
        _flat(draft, turns, "gen_ai.prompt")
        _flat(draft, indexed(attributes, "gen_ai.completion"), "gen_ai.completion", is_answer=True)
    else:
        _whole(draft, attributes)
    _documents(draft, attributes)
    if model := next((name for key in MODELS if (name := text(attributes.get(key)))), ""):
        draft.settings["model"] = model
    if billed := next((attributes[key] for key in BILLED if key in attributes), None):
        draft.warnings.append(f"the provider billed {billed} input tokens for this call, answer not included.")


def answer(draft: Draft, output: Any, place: str) -> None:
    """What the model said, as the last message."""
    value = unpacked(output)
    if value in (None, "", "null", "None"):
        return
    before = len(draft.messages)
    if isinstance(value, str):
        draft.say(assistant([text_part(value)]), place)
    elif all("toolCallId" in mapping(one) for one in listed(value)) and listed(value):
        draft.say(assistant([], [sdk_call(one) for one in value]), place)
    elif listed(mapping(value).get("choices")):
        say_all(draft, mapping(value["choices"][0]).get("message"), place)
    elif isinstance(mapping(value).get("output"), list):
        say_all(draft, value["output"], place)
    else:
        say_all(draft, value, place)
    if len(draft.messages) > before:
        draft.note("the answer, read as the last message.", place)


def _semantic(draft: Draft, attributes: Mapping[str, Any]) -> None:
    """The semantic conventions from 1.37 on. System texts stand apart; some tell where they stood."""
    given = attributes.get("gen_ai.system_instructions", attributes.get("gen_ai.system.instructions"))
    value = unpacked(given)
    texts = [mapping(one) for one in listed(value)] or ([{"content": value}] if text(value) else [])
    say_all(draft, attributes["gen_ai.input.messages"], "gen_ai.input.messages")
    for order, one in enumerate(texts):
        known = mapping(mapping(one.get("_provider_metadata")).get("_known_fields")).get("messageIndex")
        at = min(known if isinstance(known, int) else order, len(draft.messages))
        draft.messages.insert(at, {"role": "system", "content": compact(one.get("content") or one.get("text") or "")})
        draft.places.insert(at, "gen_ai.system_instructions")
    draft.read += len(texts)
    answer(draft, attributes.get("gen_ai.output.messages"), "gen_ai.output.messages")


def indexed(attributes: Mapping[str, Any], prefix: str) -> dict[int, dict[str, Any]]:
    """`prefix.3.role` → {3: {"role": …}}, by number; some are left out by those who write them."""
    out: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        if key.startswith(f"{prefix}.") and (found := NUMBERED.match(key[len(prefix) + 1 :])):
            out.setdefault(int(found[1]), {})[found[2]] = value
    return dict(sorted(out.items()))


def _inference(draft: Draft, turns: dict[int, dict[str, Any]], place: str, *, is_answer: bool = False) -> None:
    """OpenInference. A message without content may be missing: its number is."""
    gaps = sorted(set(range(max(turns, default=-1) + 1)) - turns.keys())
    if gaps and not is_answer:
        draft.note("number missing: a message that had no content, such as one with calls only.", f"{place}.{gaps[0]}")
    for number, fields in turns.items():
        flat = {key.removeprefix("message."): value for key, value in fields.items()}
        parts = [
            {key.removeprefix("message_content."): value for key, value in one.items()}
            for one in indexed(flat, "contents").values()
        ]
        blocks = [_block(part) for part in parts]
        calls = [_numbered_call(one, "tool_call.") for one in indexed(flat, "tool_calls").values()]
        message = {"role": flat.get("role"), "content": blocks or flat.get("content"), "tool_calls": calls}
        message |= {name: flat[name] for name in ("tool_call_id", "name") if name in flat}
        say_all(draft, [message], f"{place}.{number}")


def _block(part: Mapping[str, Any]) -> Mapping[str, Any]:
    url = part.get("image.image.url")
    return {"type": "image_url", "image_url": {"url": url}} if url else {"type": "text", "text": part.get("text")}


def _numbered_call(one: Mapping[str, Any], prefix: str) -> Message:
    given = {key.removeprefix(prefix): value for key, value in one.items()}
    name = given.get("function.name") or given.get("name")
    return call(given.get("id"), name, given.get("function.arguments", given.get("arguments")))


def _flat(draft: Draft, turns: dict[int, dict[str, Any]], place: str, *, is_answer: bool = False) -> None:
    """OpenLLMetry: content may be the JSON of parts, or of calls."""
    for number, fields in turns.items():
        calls = [_numbered_call(one, "") for one in indexed(fields, "tool_calls").values()]
        role = fields.get("role") or ("assistant" if is_answer else "user")
        message = {"role": role, "content": unpacked(fields.get("content")), "tool_calls": calls}
        message |= {name: fields[name] for name in ("tool_call_id", "name") if name in fields}
        say_all(draft, [message], f"{place}.{number}")


def _whole(draft: Draft, attributes: Mapping[str, Any]) -> None:
    """The whole input in one attribute."""
    field = next((name for name in ASKED if name in attributes), "")
    value = unpacked(attributes.get(field))
    if isinstance(value, Mapping) and isinstance(value.get("messages") or value.get("contents"), list):
        value = value.get("messages") or value.get("contents")
    if field and value:
        say_all(draft, value, field)
        answer(draft, attributes.get("output.value", attributes.get("ai.response.toolCalls")), "output")


def add_tools(draft: Draft, attributes: Mapping[str, Any]) -> None:
    for name in ("gen_ai.tool.definitions", "ai.prompt.tools", "model_request_parameters"):
        value = unpacked(attributes.get(name))
        for inner in ("function_tools", "output_tools") if isinstance(value, Mapping) else ():
            add_definitions(draft, mapping(value).get(inner))
        add_definitions(draft, value)
    schemas = [one.get("tool.json_schema") for one in indexed(attributes, "llm.tools").values()]
    add_definitions(draft, schemas)
    functions = indexed(attributes, "llm.request.functions").values()
    add_definitions(draft, [{**one, "parameters": unpacked(one.get("parameters"))} for one in functions])
    if not draft.tools:
        configured = mapping(unpacked(attributes.get("gen_ai.request.configuration")))
        add_definitions(draft, configured.get("tools"))


def _documents(draft: Draft, attributes: Mapping[str, Any]) -> None:
    for one in indexed(attributes, "retrieval.documents").values():
        words, score = one.get("document.content"), one.get("document.score")
        if isinstance(words, str):
            about = mapping(unpacked(one.get("document.metadata")))
            title = text(about.get("title")) or text(about.get("source")) or kind(about)
            draft.documents.append(Record("", words, title, score if isinstance(score, int | float) else None))
