"""The real files: each is read as the format it has, with the numbers that its index states, and without a crash."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from ctxcore import SYSTEMS, Scenario, build
from ctxcore.errors import InputError, WhichConversationError
from ctxcore.exporting.targets import LINTED_AS, PROVIDERS, export_trace
from ctxcore.importing import load, opened
from ctxcore.linting.lint import lint_request
from ctxcore.systems import VARIANTS
from tests import laws
from tests.build import SHARED

INPUTS = SHARED / "inputs"
pytestmark = pytest.mark.skipif(not INPUTS.is_dir(), reason="the shared input files are not here")

# file → format, messages as they stand in the scenario (roles by first letter: system, developer, user, assistant,
# tool), calls, tools, and a part of what the reader says of read, kept and skipped
TABLE: dict[str, tuple[str, Mapping[str, int], int, int, str]] = {
    "openai-chat/tools_two_rounds.request.json": ("openai-chat", {"u": 1, "a": 2, "t": 3}, 3, 19, ""),
    "openai-chat/mcp_wiki_tool_result.request.json": ("openai-chat", {"u": 1, "a": 1, "t": 1}, 1, 3, ""),
    "openai-chat/image_png_2.8MB.request.json": ("openai-chat", {"u": 1}, 0, 0, ""),
    "openai-chat/two_images.request.json": ("openai-chat", {"u": 2, "a": 1, "t": 1}, 1, 1, ""),
    "openai-chat/pdf_file_part_with_tool.request.json": ("openai-chat", {"u": 1, "a": 1, "t": 1}, 1, 1, ""),
    # 7 items: two messages each by user and assistant, two of reasoning, a call and its result: it joins a message
    "openai-responses/storymachine_run_42.json": (
        "openai-responses",
        {"u": 2, "a": 2, "t": 1},
        1,
        0,
        "7 items read, 5 messages kept",
    ),
    "openai-responses/mcp_list_and_call.request.json": (
        "openai-responses",
        {"s": 1, "u": 2, "a": 2, "t": 1},
        1,
        0,
        "8 items read",  # 7 and the instructions
    ),
    "openai-responses/compaction_item.request.json": ("openai-responses", {"u": 4, "a": 3}, 0, 0, "8 items read"),
    "openai-responses/image_tool_result.request.json": (
        "openai-responses",
        {"u": 1, "a": 1, "t": 1},
        1,
        1,
        "4 items read",
    ),
    "anthropic/compaction_block_225KB.request.json": (
        "anthropic",
        {"s": 1, "u": 2, "a": 1},  # the summary stands in place of the 225 KB before it
        0,
        0,
        "1 skipped: 1 × message before the compaction",
    ),
    "anthropic/thinking_then_tool.request.json": ("anthropic", {"u": 1, "a": 1, "t": 1}, 1, 1, ""),
    "anthropic/image_in_tool_result.request.json": ("anthropic", {"u": 1, "a": 1, "t": 1}, 1, 1, ""),
    "anthropic/mid_conversation_system.request.json": ("anthropic", {"s": 2, "u": 3, "a": 2}, 0, 0, ""),
    "anthropic/claude_code_proxy_request.json": ("anthropic", {"s": 1, "u": 1, "a": 1, "t": 1}, 1, 0, ""),
    "anthropic/headroom_real_request.json": (
        "anthropic",
        {"s": 1, "u": 3, "a": 2, "t": 2},  # 5 messages, of which two hold a result beside words
        2,
        2,
        "6 messages read, 8 messages kept",
    ),
    "gemini-api/antigravity_request.json": ("gemini", {"s": 1, "u": 3, "a": 1}, 0, 1, ""),
    "swe-agent/marshmallow-1867-function_calling.traj": ("swe-agent", {"s": 1, "u": 1, "a": 11, "t": 11}, 11, 0, ""),
    "swe-agent/marshmallow-1867-default.traj": ("swe-agent", {"s": 1, "u": 14, "a": 14}, 0, 0, ""),
    "swe-agent/function_calling_simple.traj": ("swe-agent", {"s": 1, "u": 1, "a": 5, "t": 5}, 5, 0, ""),
    "mini-swe-agent/github_issue.traj.json": ("mini-swe-agent", {"s": 1, "u": 11, "a": 10}, 0, 0, ""),
    "claude-code/cctrace_real_session.jsonl": (
        "claude-code",
        {"u": 19, "a": 100, "t": 151},  # 170 lines by the user: 151 results, 19 texts
        152,
        0,
        "536 lines read, 270 messages kept, 266 skipped: 226 × line merged",  # 326 lines are 100 answers
    ),
    "claude-code/session_with_compaction.jsonl": (
        "claude-code",
        {"u": 2, "a": 2, "t": 1},
        1,
        0,
        "14 lines read, 5 messages kept, 9 skipped: 8 × line before the compaction",
    ),
    "claude-code/with_rejection.jsonl": ("claude-code", {"u": 2, "a": 6, "t": 4}, 4, 0, ""),
    "claude-code/golden.jsonl": ("claude-code", {"u": 1, "a": 3, "t": 2}, 2, 0, ""),
    "claude-code/representative_messages.jsonl": ("claude-code", {"u": 4, "a": 5, "t": 2}, 2, 0, "12 lines read"),
    "codex/session_with_compaction.jsonl": ("codex", {"u": 5, "a": 2, "t": 1}, 1, 0, "20 lines read"),
    "codex/golden.jsonl": ("codex", {"u": 2, "a": 2, "t": 1}, 1, 0, "10 lines read"),
    "codex/real_session_cli0135_redacted.jsonl": ("codex", {"s": 1, "d": 1, "u": 2, "a": 1}, 0, 0, "11 lines read"),
    "gemini-cli/with_tool_error.json": ("gemini-cli", {"u": 4, "a": 5, "t": 4}, 4, 0, "10 records read"),
    "pi-agent/before-compaction.jsonl": (
        "pi-agent",
        {"u": 58, "a": 469, "t": 448},  # 55 by the user and 3 commands; 484 replies, of which 15 were stopped, empty
        454,
        0,
        "1,003 entries read, 975 messages kept, 28 skipped: 15 × empty reply that was stopped",
    ),
    "langfuse/agno-2025-06-11.trace.json": ("langfuse", {"s": 1, "u": 1, "a": 2, "t": 1}, 1, 2, ""),
    "langfuse/claude-agent-2025-12-22.trace.json": (
        "langfuse",
        {"s": 1, "u": 1, "a": 2, "t": 2},
        2,
        0,
        "7 observations read",
    ),
    "langfuse/csharp-agent-with-gemini-2026-03-09.trace.json": ("langfuse", {"s": 1, "u": 1, "a": 3, "t": 1}, 2, 1, ""),
    "langfuse/langgraph-python-2025-08-22.trace.json": ("langfuse", {"u": 2, "a": 2, "t": 1}, 1, 1, "read as a tool"),
    "langfuse/openai-agents-2025-09-30.trace.json": ("langfuse", {"s": 1, "u": 1, "a": 2, "t": 1}, 1, 1, ""),
    "langfuse/pydantic-ai-tools-2025-12-04.trace.json": ("langfuse", {"s": 1, "u": 1, "a": 1}, 1, 1, ""),
    "langfuse/vercel-aisdk-2025-11-17.trace.json": ("langfuse", {"u": 1, "a": 1}, 1, 1, ""),
    "langfuse/chat_ml_json.json": ("langchain", {"u": 1, "a": 2, "t": 1}, 1, 0, ""),
    "otel/latitude_rendering_spans.otlp.json": ("otel", {"s": 4, "u": 1, "a": 4, "t": 1}, 1, 1, ""),
    "otel/manual_prompt_with_tools_spans.otlp.json": ("otel", {"s": 1, "u": 1, "a": 2, "t": 1}, 1, 0, ""),
    "inspect-ai/browser.json": ("inspect", {"u": 1, "a": 5, "t": 4}, 4, 8, ""),
    "inspect-ai/log_formats.json": ("inspect", {"s": 1, "u": 1, "a": 1}, 0, 0, ""),
    "chatgpt-export/branching_example.json": ("chatgpt-export", {"u": 2, "a": 2}, 0, 0, "6 nodes read, 4 messages"),
    "generated/autogen_agentchat_messages.json": ("autogen", {"u": 1, "a": 1, "t": 1}, 1, 0, "4 messages read, 3"),
    "generated/langchain_dumpd_lc1.json": ("langchain", {"s": 1, "u": 1, "a": 2, "t": 1}, 1, 0, ""),
    "generated/langchain_messages_to_dict.json": ("langchain", {"s": 1, "u": 1, "a": 2, "t": 1}, 1, 0, ""),
    "generated/llamaindex_chatmessages.json": ("llama-index", {"s": 1, "u": 1, "a": 1, "t": 1}, 1, 0, ""),
}
# file → format, conversations, messages of all of them
MANY = {
    "sharegpt/glaive_toolcall_zh_demo.json": ("sharegpt", 300, 1_880),
    "sharegpt/mllm_demo.json": ("sharegpt", 6, 24),
    "sharegpt/v1_multimodal_demo.jsonl": ("sharegpt", 24, 96),
    "sharegpt/identity.json": ("sharegpt", 91, 182),
    "tau-bench/gpt-4o-airline.first12.json": ("tau-bench", 12, 378),
    "tau-bench/MockAirlineDomainEnv-few_shot.jsonl": ("tau-bench", 19, 365),
    "aider/chat-history.first400k.md": ("aider", 75, 191),
}
DOCUMENTS = {"rag/anthropic-docs/anthropic_docs.json": 232, "rag/zh-docs/llamafactory-README_zh.md": 1}
DOCUMENTS |= {"rag/zh-docs/longbench-README_ZH.md": 1}


@cache
def loaded(file: str) -> Scenario:
    return load(INPUTS / file)


def roles(scenario: Scenario) -> Mapping[str, int]:
    letters = [str(message["role"])[0] for message in scenario.messages]
    return {letter: letters.count(letter) for letter in dict.fromkeys("sduat") if letter in letters}


@pytest.mark.parametrize("file", TABLE)
def test_a_real_file_is_read_whole(file):
    format_name, by_role, calls, tools, told = TABLE[file]
    scenario = loaded(file)
    assert scenario.format == format_name
    assert roles(scenario) == by_role
    assert sum(len(message.get("tool_calls") or ()) for message in scenario.messages) == calls
    assert len(scenario.tools) == tools
    assert told in " ".join(scenario.warnings)
    assert Scenario.from_json(scenario.to_json()).to_json() == scenario.to_json()


@pytest.mark.parametrize("file", MANY)
def test_a_file_of_many_conversations_lists_them_and_each_can_be_read(file):
    format_name, count, messages = MANY[file]
    with pytest.raises(WhichConversationError) as raised:
        load(INPUTS / file)
    assert len(raised.value.conversations) == count
    assert sum(size for _, size in raised.value.conversations) == messages
    last = load(INPUTS / file, conversation=count - 1)
    assert (last.format, len(last.messages)) == (format_name, raised.value.conversations[-1][1])


@pytest.mark.parametrize("file", DOCUMENTS)
def test_documents_are_documents(file):
    scenario = loaded(file)
    assert (len(scenario.documents), scenario.messages) == (DOCUMENTS[file], ())


def test_every_file_is_in_the_tables_or_refused_with_its_reason():
    for path in sorted(INPUTS.rglob("*")):
        name = path.relative_to(INPUTS).as_posix()
        if not path.is_file() or name in (*TABLE, *MANY, *DOCUMENTS, "INDEX.md"):
            continue
        if name.endswith(".response.json"):
            assert any("an answer without its request" in line for line in loaded(name).warnings)
        else:
            with pytest.raises(InputError, match=r"is a JPEG image|none of 100 records is a message"):
                load(path)


def test_what_a_session_was_compacted_to_can_be_chosen():
    for file, counts in {
        "claude-code/session_with_compaction.jsonl": (5, 13),
        "codex/session_with_compaction.jsonl": (8, 12),
        "pi-agent/before-compaction.jsonl": (975, 328, 441),
    }.items():
        data = (INPUTS / file).read_bytes()
        first = opened(data, name=file)
        assert (len(first.readings), first.number) == (len(counts), 0)
        assert tuple(len(opened(data, conversation=at).scenario.messages) for at in range(len(counts))) == counts


def test_openai_requests_come_through_unchanged():
    for file in sorted((INPUTS / "openai-chat").glob("*.request.json")):
        request, scenario = json.loads(file.read_bytes()), load(file)
        assert list(scenario.messages) == request["messages"]
        assert list(scenario.tools) == request.get("tools", [])
        assert scenario.warnings == ()


def test_trajectories_keep_the_fields_of_their_agent():
    (mini,) = (INPUTS / "mini-swe-agent").glob("*.json")
    assert list(load(mini).messages) == json.loads(mini.read_bytes())
    for file in sorted((INPUTS / "swe-agent").glob("*.traj")):
        history: list[dict[str, Any]] = json.loads(file.read_bytes())["history"]
        for kept, given in zip(load(file).messages, history, strict=True):
            assert {name: kept[name] for name in given} == given
            if given["role"] == "tool":
                assert kept["tool_call_id"] == given["tool_call_ids"][0]


LONG = (
    ("claude-code/cctrace_real_session.jsonl", "article"),
    *(("pi-agent/before-compaction.jsonl", v) for v in VARIANTS),
)
RUNS = [
    pytest.param(file, variant, marks=[pytest.mark.deep] if (file, variant) in LONG else [])
    for file, variant in itertools.product((*TABLE, *MANY, *DOCUMENTS), VARIANTS)
]


@pytest.mark.parametrize(("file", "variant"), RUNS)
def test_a_real_file_holds_all_laws_in_every_system_and_every_shape_takes_it(file, variant):
    """At a window of 8,000 tokens; from a file of many conversations, the last."""
    scenario = load(INPUTS / file, conversation=MANY[file][1] - 1) if file in MANY else loaded(file)
    is_valid = laws.is_valid(scenario.messages, scenario.tools)
    for system in SYSTEMS:
        trace = build(scenario, system=system, variant=variant, window=8_000)
        laws.check(trace.to_json(), valid_input=is_valid, holds_limits=system != "layered")
        for target in PROVIDERS:
            found = lint_request(export_trace(trace, target).payload, shape=LINTED_AS.get(target, target))
            assert [one for one in found if one.severity == "error"] == [], (system, target)
