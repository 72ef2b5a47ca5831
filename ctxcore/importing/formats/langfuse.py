"""Langfuse traces: the last generation is what the model saw; the others can be chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.attributes import add_tools, answer, indexed, read_call
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.otel_parts import add_definitions, say_all
from ctxcore.importing.pairing import Pairing
from ctxcore.importing.shapes import head, kind, listed, mapping, text, unpacked
from ctxcore.importing.speech import assistant, call, compact, result, text_part

Observation = Mapping[str, Any]


def fits(value: Any) -> bool:
    if isinstance(value, list):
        first = mapping(head(value))
        return "observations" in first or ("traceId" in first and "input" in first and "type" in first)
    return isinstance(value, Mapping) and ("observations" in value or _is_page(value))


def _is_page(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("data"), list) and "cursor" in mapping(value.get("meta"))


def find(given: Given) -> Sequence[Found]:
    rows = sorted(_observations(given.value), key=lambda one: text(one.get("startTime")))
    calls = [one for one in rows if kind(one) == "GENERATION"] or [one for one in rows if one.get("input")]
    if calls and not _history(calls[-1]):
        return [Found(partial(_stitched, rows), is_default=True)]
    last = _last(calls)
    return [
        Found(partial(_read, one, rows), is_default=at == last, says=text(one.get("name")))
        for at, one in enumerate(calls)
    ] or [Found(Draft, is_default=True)]


def _last(calls: Sequence[Observation]) -> int:
    """The place of the last call; two instruments may have written it down, one of them as a bare text."""
    last = len(calls) - 1
    while last > 0 and isinstance(_history(calls[last]), str):
        ended, began = text(calls[last - 1].get("endTime")), text(calls[last].get("startTime"))
        if isinstance(_history(calls[last - 1]), str) or ended < began:
            break
        last -= 1
    return max(last, 0)


def _observations(value: Any) -> list[Observation]:
    if isinstance(value, Mapping):
        rows = listed(value.get("observations")) or listed(value.get("data"))
    else:
        rows = [row for one in value for row in (listed(mapping(one).get("observations")) or [one])]
    return [mapping(one) for one in rows]


def _history(one: Observation) -> Any:
    """The messages of an observation's input; None where it holds none."""
    value = unpacked(one.get("input"))
    if isinstance(value, Mapping):
        inner = value.get("messages") or value.get("contents") or value.get("prompt")
        listed_args = [arg for arg in listed(value.get("args")) if isinstance(arg, list)]
        return inner or head(listed_args) or (value if value.keys() & {"role", "parts"} else None)
    return (
        value
        or _attributes(one).get("gen_ai.input.messages")
        or _attributes(one).get("llm.input_messages.0.message.role")
    )


def _attributes(one: Observation) -> Mapping[str, Any]:
    about = mapping(unpacked(one.get("metadata")))
    return mapping(about.get("attributes")) or about


def _read(one: Observation, rows: Sequence[Observation]) -> Draft:
    draft, attributes = Draft(records="messages"), _attributes(one)
    asked = mapping(unpacked(one.get("input")))
    for name in ("tools", "functions"):
        add_definitions(draft, asked.get(name) or mapping(unpacked(one.get("metadata"))).get(name))
    if _is_whole(attributes):
        read_call(draft, attributes)
    else:
        _system(draft, asked, attributes)
        say_all(draft, _history(one), "input")
        answer(draft, one.get("output"), "output")
        add_tools(draft, attributes)
    _retrieved(draft, rows)
    _about(draft, one)
    return draft


def _is_whole(attributes: Mapping[str, Any]) -> bool:
    """Whether the attributes hold the whole prompt; flattened ones leave out messages without content."""
    numbers = indexed(attributes, "llm.input_messages")
    return "gen_ai.input.messages" in attributes or (bool(numbers) and max(numbers) == len(numbers) - 1)


def _system(draft: Draft, asked: Mapping[str, Any], attributes: Mapping[str, Any]) -> None:
    """System texts stand beside the messages in some traces."""
    value = unpacked(asked.get("system") or attributes.get("gen_ai.system_instructions"))
    texts = [compact(mapping(one).get("content") or one) for one in listed(value)] or [text(value)]
    for words in filter(None, texts):
        draft.read += 1
        draft.say({"role": "system", "content": words}, "system")


def _about(draft: Draft, one: Observation) -> None:
    if model := text(one.get("model")):
        draft.settings["model"] = model
    billed = mapping(one.get("usageDetails")).get("input") or mapping(one.get("usage")).get("input")
    if isinstance(billed, int) and not any("billed" in line for line in draft.warnings):
        draft.warnings.append(f"the provider billed {billed:,} input tokens for this call, answer not included.")


def _retrieved(draft: Draft, rows: Sequence[Observation]) -> None:
    from ctxcore.scenario import Record

    for row in rows:
        if kind(row) == "RETRIEVER":
            for found in listed(unpacked(row.get("output"))):
                words = (
                    mapping(found).get("page_content") or mapping(found).get("text") or mapping(found).get("content")
                )
                if isinstance(words, str):
                    draft.documents.append(Record("", words, text(mapping(found).get("title"))))


def _stitched(rows: Sequence[Observation]) -> Draft:
    """Calls that do not hold their history: it is put together out of what was asked, said and done, in time."""
    draft, pairing = Draft(read=len(rows), records="observations"), Pairing()
    draft.warnings.append("the calls do not hold their history: it is put together out of the observations in time.")
    asked = next((given for row in rows if text((given := mapping(unpacked(row.get("input")))).get("prompt"))), {})
    if text(asked.get("system")):
        draft.say({"role": "system", "content": asked["system"]}, "input/system")
    if asked:
        draft.say({"role": "user", "content": asked["prompt"]}, "input/prompt")
    for index, row in enumerate(rows):
        if kind(row) == "GENERATION":
            _said(draft, pairing, row, f"/observations/{index}")
        elif kind(row) == "TOOL":
            name = text(row.get("name"))
            words = [text_part(text(mapping(one).get("text"))) for one in _blocks(row)]
            draft.say(result(pairing.result(name), words, name), f"/observations/{index}")
        else:
            draft.skip("span that sent nothing")
    if calls := [row for row in rows if kind(row) == "GENERATION"]:
        _about(draft, calls[-1])
    return draft


def _said(draft: Draft, pairing: Pairing, row: Observation, place: str) -> None:
    """One answer; calls that follow each other without a result between them are one message."""
    blocks = _blocks(row)
    words = [text_part(text(one.get("text"))) for one in blocks if text(one.get("text"))]
    calls = [
        call(pairing.call(text(one.get("name")), text(one.get("id"))), one.get("name"), one.get("input"))
        for one in blocks
        if kind(one) == "tool_use"
    ]
    last = draft.messages[-1] if draft.messages else {}
    if last.get("role") == "assistant" and not words and calls:
        last.setdefault("tool_calls", []).extend(calls)
        draft.skip("answer joined to the one before, whose calls it continues")
    elif words or calls:
        draft.say(assistant(words, calls), place)


def _blocks(row: Observation) -> list[Mapping[str, Any]]:
    value = mapping(unpacked(row.get("output")))
    given = value.get("content")
    return [mapping(one) for one in listed(given)] or ([{"type": "text", "text": given}] if text(given) else [])


LANGFUSE = Format("langfuse", "a Langfuse trace: one of its generations, the last by default", fits, find)
