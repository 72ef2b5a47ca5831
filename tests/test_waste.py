"""Waste: each kind found where it is, priced in tokens, and nothing found where there is none; the cached prefix."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from ctxcore import Scenario, build
from ctxcore.counting.count import count_request
from ctxcore.findings.prefix import cached_prefix
from ctxcore.findings.waste import OF_WASTE
from ctxcore.systems import SYSTEMS
from tests.build import calls, document, result, system, user, words

SHIPPED = sorted((Path(__file__).parents[1] / "ctxcore" / "scenarios").glob("*.json"))


def waste(messages, **sources):
    trace = build(Scenario.from_messages(messages, **sources), system="raw", window=1_000_000, reserve=0)
    return {one.rule: one for rule in OF_WASTE for one in rule(trace)}


def records(*made):
    return {"documents": tuple(Scenario.from_json({"messages": [], "documents": list(made)}).documents)}


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
@pytest.mark.parametrize("name", SYSTEMS)
def test_healthy_scenarios_raise_no_alarm(file, name):
    trace = build(Scenario.load(file), system=name)
    assert {one.rule for rule in OF_WASTE for one in rule(trace)} == set()


def test_a_text_in_two_sources_is_priced_once():
    found = waste([user(f"Look: {words(40)}"), user(words(60))], **records(document("doc-01", words(60))))
    one = found["find-waste-duplicate"]
    assert one.facts["count"] == 1
    assert one.facts["tokens"] == count_tokens(words(60))
    assert "doc-01" in one.items


def test_texts_that_differ_in_a_few_words_are_near():
    text = " ".join(f"word{at}" for at in range(200))
    first, second = document("doc-01", text), document("doc-02", f"{text} and some more")
    found = waste([user("?")], **records(first, second))
    assert found["find-waste-near"].facts["share"] > 90
    assert "find-waste-duplicate" not in found


def test_texts_about_one_thing_are_not_near():
    first = " ".join(f"word{at % 7} item{at}" for at in range(90))
    second = " ".join(f"word{at % 7} thing{at}" for at in range(90))
    assert not waste([user("?")], **records(document("doc-01", first), document("doc-02", second)))


def test_a_block_of_the_instructions_that_stands_there_again():
    block = "<skills>\n- pdf\n- xlsx\n</skills>"
    parts = [{"type": "text", "text": text} for text in ("Base rules.", block, block, block, block)]
    one = waste([{"role": "system", "content": parts}, user("hi")])["find-waste-system"]
    assert one.facts["count"] == 3
    assert one.facts["tokens"] == 3 * count_tokens(block)


def test_instructions_inside_another_message():
    rules = "Never promise a delivery date that the warehouse has not confirmed in writing. " * 4
    assert waste([system(rules.strip()), user(f"(reminder) {rules.strip()} What now?")])["find-waste-system"]


def test_a_long_result_that_nobody_refers_to():
    table = ", ".join(f"Item {at} costs {at * 731} Euro" for at in range(40))
    messages = [user("?"), calls("a"), result("a", table)]
    later = [{"role": "assistant", "content": "I could not decide."}, user("And?")]
    assert waste([*messages, *later, {"role": "assistant", "content": "No idea."}])["find-waste-unused"]
    used = {"role": "assistant", "content": "Item 3 costs 2193 Euro."}
    assert "find-waste-unused" not in waste([*messages, *later, used])


def test_bytes_in_a_text():
    data = base64.b64encode(bytes(range(256)) * 8).decode()
    assert waste([user(f"Look at this: {data}")])["find-waste-base64"].facts["tokens"] > 1_000
    assert not waste([user("A" * 4_000 + " " + "-" * 400)])


def test_escaped_characters_cost_more_than_themselves():
    text = json.dumps({"问": "明天的天气怎么样？请用中文回答，谢谢。"})
    facts = waste([user(text)])["find-waste-escapes"].facts
    assert facts["tokens"] == count_tokens(text) - count_tokens(json.dumps(json.loads(text), ensure_ascii=False))


def count_tokens(text):
    return count_request({"messages": [user(text)]}, "gpt-4o").rows[0].tokens


# -- the cached prefix -------------------------------------------------------------------------

HEAD = [system(words(900)), user(words(200))]


def request(*messages, tools=()):
    return {"messages": list(messages), "tools": list(tools)}


def test_a_conversation_that_goes_on_keeps_its_prefix():
    prefix = cached_prefix(request(*HEAD), request(*HEAD, user("more")), "gpt-4o")
    assert not prefix.is_broken
    assert prefix.same == prefix.before == count_request(request(*HEAD), "gpt-4o").total - 3


def test_a_change_in_front_is_priced():
    prefix = cached_prefix(request(*HEAD), request(system("Today. " + words(900)), HEAD[1]), "gpt-4o")
    assert prefix.message == 0
    assert prefix.lost == prefix.before - prefix.same > 1_000
    assert prefix.price == pytest.approx(prefix.lost * 2.5 / 1e6)
    assert f"{100 * prefix.price:.3f}" in prefix.says()


def test_other_tools_leave_nothing():
    tool = {"type": "function", "function": {"name": "f", "parameters": {}}}
    prefix = cached_prefix(request(*HEAD, tools=[tool]), request(*HEAD), "gpt-4o")
    assert (prefix.same, prefix.where) == (0, "tools")


def test_a_short_prompt_was_never_cached():
    assert not cached_prefix(request(user("a b c")), request(user("d e f")), "gpt-4o").is_broken


def test_the_first_difference_lies_inside_a_text():
    before, after = words(1_500), words(1_000) + " other"
    same = cached_prefix(request(user(before)), request(user(after)), "gpt-4o").same
    assert count_tokens(words(1_000)) - 2 <= same <= count_tokens(words(1_000)) + 4
