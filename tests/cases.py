"""Reported failures of other tools, as a table: number of the case → what is called → what must hold.

The cases stand outside the project (`shared/cases`); a row is skipped where they are not there. Each `call` gets the
case and gives a value, each `holds` gets that value and the case.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ctxcore import Bill, Scenario, Trace, build, count_request, lint
from ctxcore.compressing.extractive import Extractive
from ctxcore.counting.images import image_tokens
from ctxcore.counting.models import model
from ctxcore.counting.tokens import counter_for
from tests import laws
from tests.build import SHARED
from tests.cases_import import ROWS as IMPORT
from tests.cases_wire import ROWS as WIRE

Case = Mapping[str, Any]
FOLDER = SHARED / "cases"


@dataclass(frozen=True)
class Row:
    call: Callable[[Case], Any]
    holds: Callable[[Any, Case], None]


def path_of(number: str) -> Path | None:
    return next(iter(FOLDER.glob(f"{number}-*.json")), None)


def payload(case: Case) -> Any:
    return case["input"]["payload"]


def source(case: Case) -> Scenario:
    """The case's chat request; the last user message of it is the question."""
    given = payload(case)
    return Scenario.from_messages(given["messages"], tools=given.get("tools", ()))


def roles(trace: Trace) -> list[str]:
    return [message["role"] for message in trace.messages]


def shrinking(case: Case, **more: Any) -> list[Trace]:
    """The same request in ever smaller windows, down to where only the question is left."""
    everything = build(source(case), system="raw", reserve=0).totals.total
    return [build(source(case), window=window, reserve=0, **more) for window in range(everything + 5, 3, -1)]


def valid_in_every_window(traces: list[Trace], case: Case) -> None:
    for trace in traces:
        laws.check(trace.to_json(), valid_input=True)
        assert roles(trace)[:1] != ["tool"]


def shrunk_by_every_system(case: Case) -> list[Trace]:
    options = {"conversation-compactor.overflow": "truncate", "conversation-compactor.preserve_recent": 1}
    ranked = {**options, "conversation-compactor.overflow": "prioritize"}
    return [
        *shrinking(case, system="gssc"),
        *shrinking(case, system="compiler", options=options),
        *shrinking(case, system="compiler", options=ranked),
        *shrinking(case, system="layered"),
    ]


def findings(case: Case) -> set[str]:
    return {found.rule for found in lint(payload(case)["messages"]) if found.severity == "error"}


# -- trimming ----------------------------------------------------------------------------------


def kept_as_it_came(traces: list[Trace], case: Case) -> None:
    assert all(trace.messages == payload(case)["messages"] for trace in traces)


def everything_fits(case: Case) -> list[Trace]:
    window = case["input"]["max_tokens"]
    return [build(source(case), system=name, window=window, model="gpt-4o") for name in ("gssc", "compiler", "raw")]


def pairs_that_no_repair_made_worse(traces: list[Trace], case: Case) -> None:
    """Calls and results that do not follow each other in the input: lint says so, and no cut parts them."""
    assert findings(case) >= {"result-displaced"}
    for trace in traces:
        laws.check(trace.to_json())
        said = {message.get("tool_call_id") for message in trace.messages if message["role"] == "tool"}
        called = {call["id"] for message in trace.messages for call in message.get("tool_calls") or ()}
        assert said == called


def summarized(case: Case) -> Trace:
    options = {"conversation-compactor.preserve_recent": case["input"].get("keep_messages", 2)}
    return build(source(case), system="compiler", window=400, limits={"history": 8}, options=options)


def newest_are_as_they_were(trace: Trace, case: Case) -> None:
    """Nothing after the cut goes with what is before it."""
    laws.check(trace.to_json(), valid_input=True)
    assert trace.messages[-1] in payload(case)["messages"]
    kept = [message for message in trace.messages if message in payload(case)["messages"]]
    assert kept == payload(case)["messages"][-len(kept) :]


def compacted_below_its_share(case: Case) -> Trace:
    return build(source(case), system="compiler", window=60, reserve=0)


def never_grown(trace: Trace, case: Case) -> None:
    for snapshot in trace.snapshots:
        changed = [d for d in snapshot.decisions if d.action in ("compressed", "truncated")]
        assert all(decision.after < decision.before for decision in changed)
    assert trace.messages == payload(case)["messages"]


def long_results(case: Case) -> Trace:
    options = {"tool-result-compactor.enabled": "true", "tool-result-compactor.max_tokens": 20}
    return build(source(case), system="compiler", window=8_000, options=options)


def every_long_result_is_shortened(trace: Trace, case: Case) -> None:
    """One that is short already does not stop the walk to the older ones."""
    results = [item for item in trace.final.items if item.source == "tool"]
    assert results
    assert all(item.tokens <= 20 for item in results)
    laws.check(trace.to_json(), valid_input=True)


def tiny_window(case: Case) -> Trace:
    return build(source(case), window=case["input"]["max_tokens"], reserve=0)


def arguments_go_with_their_group(trace: Trace, case: Case) -> None:
    """Long arguments cannot be shortened: the group goes whole, and what the user asked stays."""
    assert trace.fits
    assert roles(trace)[0] == "user"
    laws.check(trace.to_json(), valid_input=True)


# -- counting ----------------------------------------------------------------------------------


def counted(case: Case) -> Bill:
    return count_request({"messages": payload(case)["messages"]}, case["input"].get("model", "gpt-4o"))


def only_what_is_billed(bill: Bill, case: Case) -> None:
    """Ids, nulls and annotations are free; a picture of low detail is 85."""
    assert [row.tokens for row in bill.rows if row.what == "image"] == [85]
    bare = json.loads(json.dumps(payload(case)["messages"]))
    for message in bare:
        for name in ("refusal", "annotations", "audio"):
            message.pop(name, None)
        for call in message.get("tool_calls", ()):
            call["id"] = "x" * 40
        if "tool_call_id" in message:
            message["tool_call_id"] = "x" * 40
    assert count_request({"messages": bare}, "gpt-4o").total == bill.total


def sizes(case: Case) -> list[int]:
    return [
        image_tokens(model(case["input"]["model"]), one["w"], one["h"], one["detail"])
        for one in case["input"]["images"]
    ]


def sizes_decide(tokens: list[int], case: Case) -> None:
    assert tokens == [255, 765, 1105, 85]


def picture(case: Case) -> list[int]:
    data = "data:image/png;base64," + "A" * case["input"]["generate"]["base64_len"]
    parts = ({"type": "image_url", "image_url": {"url": data}}, {"type": "input_image", "image_url": data})
    return [count_request({"messages": [{"role": "user", "content": [part]}]}, "gpt-4o").total for part in parts]


def one_picture_one_price(totals: list[int], case: Case) -> None:
    assert totals[0] == totals[1]
    assert totals[0] < 2_000


def text_of(case: Case) -> tuple[str, int]:
    text = payload(case)["text"]
    return text, counter_for("gpt-4o").count(text)


def tokens_are_no_bytes(found: tuple[str, int], case: Case) -> None:
    text, tokens = found
    assert 0 < tokens < len(text.encode()) / 1.5
    trace = build(Scenario.from_messages([{"role": "user", "content": text}]))
    assert trace.totals.messages == tokens
    assert trace.totals.total == tokens + trace.totals.overhead


def many_tools(case: Case) -> Trace:
    given = case["input"]["generate"]
    fields = {
        f"field_{at}": {"type": "string", "description": "word " * given["desc_words"]}
        for at in range(given["params_each"])
    }
    tools = [
        {"type": "function", "function": {"name": f"tool_{at}", "parameters": {"type": "object", "properties": fields}}}
        for at in range(given["tools"])
    ]
    scenario = Scenario.from_messages(payload(case)["messages"], tools=tools)
    return build(scenario, window=case["input"]["context_window"])


def tools_are_the_largest_part(trace: Trace, case: Case) -> None:
    assert not trace.fits
    assert trace.exit_code == 3
    totals = trace.totals
    assert totals.tools > case["input"]["context_window"]
    assert totals.messages < 10 < totals.tools


# -- truncation --------------------------------------------------------------------------------


def cuts(case: Case) -> list[tuple[int, str]]:
    counter = counter_for("gpt-4o")
    return [(limit, counter.cut(payload(case)["text"], limit)) for limit in case["input"]["limits"]]


def whole_characters(found: list[tuple[int, str]], case: Case) -> None:
    for limit, text in found:
        text.encode()  # no lone surrogate
        assert payload(case)["text"].startswith(text)
        assert "\ufffd" not in text
        assert counter_for("gpt-4o").count(text) <= limit


class Bytes:
    """A budget of UTF-8 bytes."""

    name, exactness, fingerprint = "utf-8", "exact", "utf-8"

    def count(self, text: str) -> int:
        return len(text.encode())

    def cut(self, text: str, tokens: int) -> str:
        return text.encode()[:tokens].decode(errors="ignore")


def cut_by_bytes(case: Case) -> list[tuple[int, str]]:
    """In every limit, and in the same text in the middle of others."""
    text, most = payload(case)["text"], case["input"]["max_bytes"]
    longer = f"One. {text} Two {text}. {text}"
    limits = [(most, text), *((limit, longer) for limit in range(1, Bytes().count(longer)))]
    return [
        (limit, Extractive().compress(one, query="", max_tokens=limit, counter=Bytes(), source="tool"))
        for limit, one in limits
    ]


def within_bytes(found: list[tuple[int, str]], case: Case) -> None:
    assert found[0][1]
    for limit, text in found:
        assert Bytes().count(text) <= limit  # the mark of a cut included
        assert "\ufffd" not in text


# -- pairs that are broken when they come in ---------------------------------------------------


def counted_and_linted(case: Case) -> tuple[set[str], list[Trace]]:
    return findings(case), shrunk_by_every_system(case)


def broken_pairs_are_found(found: tuple[set[str], list[Trace]], case: Case) -> None:
    assert "call-unanswered" in found[0]
    for trace in found[1]:
        laws.check(trace.to_json())


# -- the floor ---------------------------------------------------------------------------------


def tools_beyond_the_window(case: Case) -> Trace:
    given = payload(case)
    text = "word " * (given["tool_tokens"] // 100)
    tools = [
        {
            "type": "function",
            "function": {"name": "big", "description": text, "parameters": {"type": "object", "properties": {}}},
        }
    ]
    messages = [{"role": "system", "content": "s " * 9}, {"role": "user", "content": "u " * 4}]
    return build(Scenario.from_messages(messages, tools=tools), window=given["base_budget"] // 100, reserve=0)


def the_floor_is_named(trace: Trace, case: Case) -> None:
    """Said before anything is sent; nothing negative, and no empty prompt."""
    assert trace.exit_code == 3
    (floor,) = [problem for problem in trace.snapshots[-1].problems if problem.rule == "floor"]
    assert floor.facts["floor"] > floor.facts["room"]
    assert trace.totals.tools > trace.totals.messages
    assert all(use.cap >= 0 for use in trace.limits)
    assert roles(trace) == ["system", "user"]
    laws.check(trace.to_json(), valid_input=True)


def same_scope(trace: Trace, case: Case) -> None:
    """Before and after are measured over the same items, with the same counter."""
    for earlier, later in zip(trace.snapshots, trace.snapshots[1:], strict=False):
        assert later.tokens_before == earlier.tokens_after
        assert later.tokens_after == sum(item.tokens for item in later.items)


def compressed(case: Case) -> Trace:
    given = payload(case)["before"]["messages"][0]
    messages = [{"role": "user", "content": f"word {at} " * 9} for at in range(given // 9)]
    return build(Scenario.from_messages(messages), system="compiler", window=600)


CASES: dict[str, Row] = {
    "01": Row(shrunk_by_every_system, valid_in_every_window),
    "03": Row(shrunk_by_every_system, pairs_that_no_repair_made_worse),
    "06": Row(picture, one_picture_one_price),
    "07": Row(sizes, sizes_decide),
    "11": Row(everything_fits, kept_as_it_came),
    "25": Row(counted_and_linted, broken_pairs_are_found),
    "28": Row(text_of, tokens_are_no_bytes),
    "29": Row(compacted_below_its_share, never_grown),
    "35": Row(compressed, same_scope),
    "39": Row(many_tools, tools_are_the_largest_part),
    "40": Row(long_results, every_long_result_is_shortened),
    "45": Row(summarized, newest_are_as_they_were),
    "47": Row(tools_beyond_the_window, the_floor_is_named),
    "50": Row(cuts, whole_characters),
    "52": Row(cut_by_bytes, within_bytes),
    "53": Row(shrunk_by_every_system, valid_in_every_window),
    "55": Row(counted, only_what_is_billed),
    "56": Row(tiny_window, arguments_go_with_their_group),
    "59": Row(counted_and_linted, broken_pairs_are_found),
}
CASES |= {number: Row(*row) for number, row in (WIRE | IMPORT).items()}
