"""The laws of a trace, read from outside: from its JSON, as a script or a check would read it.

Each function raises AssertionError with what is wrong. `check` holds a trace against all that one trace can show.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from ctxcore.counting.count import count_request
from ctxcore.linting.lint import lint
from ctxcore.words import templates

Json = Mapping[str, Any]
SCALARS = str | int | float | bool | None


def check(
    trace: Json,
    *,
    valid_input: bool = False,
    holds_room: bool = True,
    holds_pairs: bool = True,
    holds_limits: bool = True,
) -> None:
    """`holds_…` are false where an option asks the system for exactly that fault."""
    json.dumps(trace, allow_nan=False)
    conservation(trace)
    sentences(trace)
    closure(trace)
    places(trace)
    written(trace)
    lineage(trace)
    if holds_room:
        budget(trace)
    if is_managed(trace) and holds_limits:
        ceilings(trace)
    if is_managed(trace) and holds_pairs:
        pairs(trace)
    if trace["variant"] != "article" and valid_input and holds_pairs:
        validity(trace["messages"], trace["tools"])


def is_managed(trace: Json) -> bool:
    return trace["system"] != "raw" and trace["variant"] != "article"


def comparable(trace: Json) -> Json:
    """The trace without what a clock put in it."""
    stages = [{key: value for key, value in stage.items() if key != "seconds"} for stage in trace["stages"]]
    return {**trace, "stages": stages}


# -- 1 conservation ---------------------------------------------------------------------------


def conservation(trace: Json) -> None:
    before = loaded(trace)
    for stage in trace["stages"]:
        after = {item["id"]: item for item in stage["items"]}
        assert len(after) == len(stage["items"]), f"{stage['name']}: an id stands twice"
        assert stage["tokens_before"] == sum(item["tokens"] for item in before.values())
        assert stage["tokens_after"] == sum(item["tokens"] for item in after.values())
        saved = sum(d["before"] - d["after"] for d in stage["decisions"])
        assert stage["tokens_before"] - stage["tokens_after"] == saved, f"{stage['name']}: {saved}"
        _one_decision_each(stage, before, after)
        for decision in stage["decisions"]:
            _is_true(decision, before, after)
        before = after


def loaded(trace: Json) -> dict[str, Json]:
    """The items before the first stage: none where it gathers; else as its decisions tell them."""
    first = trace["stages"][0]
    after = {item["id"]: item for item in first["items"]}
    told = [d for d in first["decisions"] if d["action"] not in ("added", "moved")]
    return {d["item"]: {"text": after.get(d["item"], {}).get("text"), "tokens": d["before"]} for d in told}


def inputs(trace: Json) -> list[Json]:
    """The items that came in."""
    known = loaded(trace)
    return [item for item in trace["stages"][0]["items"] if not known or item["id"] in known]


def _one_decision_each(stage: Json, before: Json, after: Json) -> None:
    named, moved = Counter[str](), Counter[str]()
    for decision in stage["decisions"]:
        ids = {decision["item"], *decision["sources"]}
        (moved if decision["action"] == "moved" else named).update(ids)
    assert set(named) == before.keys() | after.keys(), f"{stage['name']}: {set(named) ^ (before.keys() | after.keys())}"
    assert set(named.values()) <= {1}, f"{stage['name']}: decided twice on {named.most_common(1)}"
    assert set(moved.values()) <= {1}
    assert moved.keys() <= before.keys() & after.keys()


def _is_true(decision: Json, before: Json, after: Json) -> None:
    """What a decision says of its items is what happened to them."""
    old, new = before.get(decision["item"]), after.get(decision["item"])
    tokens = decision["before"], decision["after"]
    match decision["action"]:
        case "added":
            assert old is None
            assert new is not None
            assert tokens == (0, new["tokens"])
        case "kept":
            assert old is not None, decision
            assert new is not None, decision
            assert old["text"] == new["text"]
            assert tokens == (old["tokens"], new["tokens"])
        case "moved":  # it may have been changed in the same stage, and another decision says so
            assert new is not None, decision
            assert tokens == (new["tokens"], new["tokens"])
        case "dropped":
            assert old is not None
            assert new is None
            assert tokens == (old["tokens"], 0)
        case _:
            _is_true_change(decision, before, after)


def _is_true_change(decision: Json, before: Json, after: Json) -> None:
    new = after[decision["item"]]
    sources = decision["sources"] or [decision["item"]]
    assert decision["action"] != "compressed" or decision["sources"], "compressed without sources"
    assert decision["before"] == sum(before[key]["tokens"] for key in sources)
    assert decision["after"] == new["tokens"]
    if decision["item"] not in sources:
        assert not set(sources) & after.keys(), "consumed, and still there"
        assert new["parents"] == decision["sources"]


def sentences(trace: Json) -> None:
    """Every decision and problem has its sentence in both languages, made of scalars."""
    for stage in trace["stages"]:
        told = [(d["rule"], d["facts"], d["reason"]) for d in stage["decisions"]]
        told += [(p["rule"], p["facts"], p["message"]) for p in stage["problems"]]
        for rule, facts, text in told:
            assert rule in templates("en"), f"no sentence for {rule}"
            assert rule in templates("zh"), f"no sentence for {rule}"
            assert text
            assert all(isinstance(fact, SCALARS) for fact in facts.values()), facts


# -- 2 closure, 3 budget ----------------------------------------------------------------------


def closure(trace: Json) -> None:
    tokens = trace["tokens"]
    assert tokens["total"] == tokens["messages"] + tokens["overhead"] + tokens["tools"] + tokens["images"]
    request = {name: trace[name] for name in ("messages", "tools", "response_format") if name in trace}
    bill = count_request(request, trace["model"])
    assert tokens["total"] == bill.total, f"trace {tokens}, count {bill.total}"
    assert trace["fits"] == (tokens["total"] <= trace["budget"]["room"])


def budget(trace: Json) -> None:
    """It fits; or the fixed parts do not, and the last stage says so; or it is one that may overflow, and says so."""
    room, last = trace["budget"]["room"], trace["stages"][-1]
    said = {problem["rule"] for problem in last["problems"] if problem["severity"] == "error"}
    if trace["fits"]:
        assert not said & {"floor", "over-budget"}
    elif is_managed(trace):
        assert trace["floor"] > room, f"total {trace['tokens']['total']}, floor {trace['floor']}, room {room}"
        assert "floor" in said
    else:
        assert "over-budget" in said


def ceilings(trace: Json) -> None:
    """No limit is used beyond its cap, but by what may never be dropped; and then a problem says so."""
    for limit in trace["budget"]["limits"]:
        if limit["used"] > limit["cap"]:
            said = [
                p["facts"].get("limit")
                for stage in trace["stages"]
                for p in stage["problems"]
                if p["rule"] == "over-cap"
            ]
            assert limit["name"] in said, f"{limit} is exceeded in silence"
            fixed = sum(item["tokens"] for item in fixed_items(trace))
            assert limit["used"] <= fixed, f"{limit} holds more than the fixed {fixed}"


def fixed_items(trace: Json) -> list[Json]:
    """System texts, the question with its media, pins, the call groups that these are in, and the task board."""
    first = inputs(trace)
    asked = next((item["message"] for item in reversed(first) if item["source"] == "user"), None)
    fixed = [
        item for item in first if item["pinned"] or item["source"] == "system" or (asked and item["message"] == asked)
    ]
    groups = {item["group"] for item in fixed if item["group"]}
    ids = {"board"} | {item["id"] for item in first if item in fixed or item["group"] in groups}
    return [item for item in trace["stages"][-1]["items"] if item["id"] in ids]


# -- where things lie -------------------------------------------------------------------------


def places(trace: Json) -> None:
    """The map covers the payload without a hole; each surviving item has one span, inside its message."""
    if not trace["messages"]:
        return
    entries, tokens = trace["map"], trace["tokens"]
    assert [entry["message"] for entry in entries] == list(range(len(trace["messages"])))
    edges = [tokens["tools"], *(entry["end"] for entry in entries)]
    assert [entry["start"] for entry in entries] == edges[:-1]
    assert edges[-1] <= tokens["total"]
    last = [item["id"] for item in trace["stages"][-1]["items"]]
    mapped = [item for entry in entries for item in entry["items"]]
    assert sorted(mapped) == sorted(last)
    assert mapped == last or not is_managed(trace), "the items do not stand in the order in which they are written"
    assert [span["item"] for span in trace["spans"]] == mapped
    for span in trace["spans"]:
        entry = entries[span["message"]]
        assert span["item"] in entry["items"]
        assert entry["start"] <= span["start"] <= span["end"] <= entry["end"]


def written(trace: Json) -> None:
    """What survives is what is written: the text of each item stands in its message."""
    items = {item["id"]: item for item in trace["stages"][-1]["items"]}
    for entry in trace["map"]:
        message = trace["messages"][entry["message"]]
        said = spoken(message)
        for item in map(items.__getitem__, entry["items"]):
            if not item["text"].startswith(("[image", "[audio", "[file")):
                # a picture told in words stands in its place, between the texts of its message
                pieces = item["text"].split("\n") if isinstance(message.get("content"), list) else [item["text"]]
                assert all(piece in said for piece in pieces), (
                    f"{item['id']} {item['text'][:80]!r} is not in {said[:200]!r}"
                )


def spoken(message: Json) -> str:
    """All words of a message: texts line by line, then calls as `name(arguments)`."""
    content = message.get("content")
    texts = [content] if isinstance(content, str) and content else []
    if isinstance(content, list):
        texts = [text for part in content if (text := _part_text(part)) is not None]
    bodies = [call.get("function") or call.get("custom") or {} for call in message.get("tool_calls") or []]
    bodies += [message["function_call"]] if message.get("function_call") else []
    return "\n".join((*texts, *(f"{body.get('name')}({body.get('arguments', body.get('input'))})" for body in bodies)))


def _part_text(part: Json) -> str | None:
    if part.get("type") in ("image_url", "input_audio", "file"):
        return None
    return next((part[key] for key in ("text", "refusal") if isinstance(part.get(key), str)), "")


# -- 5 pairs, 6 validity ----------------------------------------------------------------------


def pairs(trace: Json) -> None:
    """In each stage a call group is there whole, consumed whole, or gone whole; calls come first."""
    whole: dict[str, set[str]] = {}
    for item in inputs(trace):
        if item["group"] and not _is_media(item):
            whole.setdefault(item["group"], set()).add(item["id"])
    for stage in trace["stages"]:
        seen: dict[str, set[str]] = {}
        for item in stage["items"]:
            if item["group"] and not _is_media(item):
                seen.setdefault(item["group"], set()).add(item["id"])
        for group, members in seen.items():
            assert members == whole[group], f"{stage['name']}: of {whole[group]} only {members} are there"


def _is_media(item: Json) -> bool:
    return "/" in item["id"]


def validity(messages: Sequence[Any], tools: Sequence[Any]) -> None:
    """Nothing that the provider would refuse: by lint, and by the openai package's own request types."""
    found = [finding for finding in lint(messages, tools) if finding.severity == "error"]
    errors = [finding.message for finding in found if finding.rule != "messages-empty"]
    assert not errors, errors
    validate(messages, tools)


def is_valid(messages: Sequence[Any], tools: Sequence[Any]) -> bool:
    try:
        validity(messages, tools)
    except (AssertionError, ValueError):
        return False
    return True


def validate(messages: Sequence[Any], tools: Sequence[Any]) -> None:
    of_messages, of_tools = _adapters()
    _consume(of_messages.validate_python(list(messages)))
    _consume(of_tools.validate_python(list(tools)))


@cache
def _adapters() -> tuple[TypeAdapter[Any], TypeAdapter[Any]]:
    from openai.types import chat

    return TypeAdapter(list[chat.ChatCompletionMessageParam]), TypeAdapter(list[chat.ChatCompletionToolUnionParam])


def _consume(value: Any) -> None:
    """pydantic checks an Iterable as it is read, and not before."""
    if isinstance(value, dict):
        for inner in value.values():
            _consume(inner)
    elif not isinstance(value, SCALARS):
        for inner in value:
            _consume(inner)


# -- 9 lineage --------------------------------------------------------------------------------


def lineage(trace: Json) -> None:
    """Back: every item leads through its parents to input items. Forward: every input item ends somewhere, once."""
    came = {item["id"] for item in inputs(trace)}
    parents = {item["id"]: item["parents"] for stage in trace["stages"] for item in stage["items"]}
    for item in trace["stages"][-1]["items"]:
        roots = set(_roots(item["id"], parents))
        assert roots, f"{item['id']} has no root"
        assert roots <= came, f"{item['id']} leads to {roots - came}"
    alive = {item["id"] for item in trace["stages"][-1]["items"]}
    for key in came:
        ends = _end(key, trace["stages"][1:])
        assert ends == "dropped" or ends in alive, f"{key} ends nowhere"


def _roots(key: str, parents: Mapping[str, Sequence[str]]) -> Iterator[str]:
    if not parents.get(key):
        yield key
    for parent in parents.get(key, ()):
        yield from _roots(parent, parents)


def _end(key: str, stages: Sequence[Json]) -> str:
    """The item in which an input item ends, or `dropped`."""
    for stage in stages:
        for decision in stage["decisions"]:
            if decision["action"] == "dropped" and decision["item"] == key:
                return "dropped"
            if key in decision["sources"]:
                key = decision["item"]
                break
    return key
