"""Names the formats of others that cannot be read yet, so that the error can say what a file is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Test = Callable[[Mapping[str, Any]], bool]

ANTHROPIC = "an Anthropic Messages request"
LANGCHAIN = "LangChain messages"
RESPONSES = "an OpenAI Responses request"

ANTHROPIC_PARTS = {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use"}
RESPONSES_PARTS = {"input_text", "output_text", "input_image", "input_file"}
RESPONSES_ITEMS = {"function_call", "function_call_output", "reasoning", "mcp_call", "mcp_list_tools", "item_reference"}
LANGCHAIN_TYPES = {"human", "ai", "AIMessageChunk", "HumanMessageChunk", "tool", "system", "function", "chat", "remove"}
CODEX_LINES = {"session_meta", "response_item", "turn_context", "event_msg", "compacted"}
CLAUDE_MARKS = {"uuid", "sessionId", "parentUuid"}
CLAUDE_LINES = {"summary", "file-history-snapshot", "queue-operation"}
PI_LINES = {"session", "message", "model_change", "thinking_level_change", "compaction"}
MCP_MARKS = {"isError", "structuredContent"}
SHAREGPT_NAMES = ("conversations", "conversation", "items")


def _is(data: Mapping[str, Any], types: set[str]) -> bool:
    return isinstance(kind := data.get("type"), str) and kind in types


def _of(value: Any, *names: str) -> bool:
    return isinstance(value, Mapping) and all(name in value for name in names)


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else None


def _is_anthropic(data: Mapping[str, Any]) -> bool:
    return "messages" in data and (bool(data.get("system")) or _of(_first(data.get("tools")), "input_schema"))


def _is_responses(data: Mapping[str, Any]) -> bool:
    listed = data.get("object") == "list" and _of(_first(data.get("data")), "type")
    asked = isinstance(data.get("input"), str | list) and not {"messages", "history", "role"} & data.keys()
    return listed or data.get("object") == "response" or asked


def _is_mcp(data: Mapping[str, Any]) -> bool:
    return "jsonrpc" in data or (_of(_first(data.get("content")), "type") and bool(MCP_MARKS & data.keys()))


def _is_codex(data: Mapping[str, Any]) -> bool:
    return _is(data, CODEX_LINES) or "record_type" in data or _of(data, "session", "items")


def _is_claude_code(data: Mapping[str, Any]) -> bool:
    if "role" in data or "messages" in data:
        return False
    return _is(data, CLAUDE_LINES) or ("type" in data and bool(CLAUDE_MARKS & data.keys()))


WHOLE: tuple[tuple[str, Test], ...] = (  # the first hit wins
    ("an Alpaca data set", lambda data: _of(data, "instruction", "output")),
    ("an OpenTelemetry export (OTLP)", lambda data: "resourceSpans" in data or "resourceLogs" in data),
    ("a Langfuse trace", lambda data: "observations" in data),
    ("an Inspect eval log", lambda data: _of(data, "samples", "eval")),
    ("a ChatGPT export", lambda data: isinstance(data.get("mapping"), Mapping)),
    ("a Gemini request", lambda data: "contents" in data or _of(data.get("request"), "contents")),
    ("a Gemini CLI session", lambda data: _of(data, "sessionId", "projectHash")),
    ("an MCP message", _is_mcp),
    ("a Codex session", _is_codex),
    ("a Claude Code session", _is_claude_code),
    ("a session of the pi agent", lambda data: _is(data, PI_LINES) and _of(data, "timestamp") and "role" not in data),
    (RESPONSES, _is_responses),
    (ANTHROPIC, _is_anthropic),
    (LANGCHAIN, lambda data: "lc" in data or "channel_values" in data),
    ("an Open WebUI export", lambda data: isinstance(data.get("chat"), Mapping)),
    ("a tau-bench result", lambda data: "traj" in data or "simulations" in data or "messages_display" in data),
    ("a ShareGPT data set", lambda data: any(_of(_first(data.get(name)), "from", "value") for name in SHAREGPT_NAMES)),
    ("a LlamaIndex chat store", lambda data: _of(data, "store", "class_name")),
    ("the state of an AutoGen agent", lambda data: "llm_context" in data or "agent_states" in data),
    ("an Anthropic answer without its request", lambda data: _of(data, "role", "stop_reason", "usage")),
    ("an OpenAI answer without its request", lambda data: "choices" in data and "messages" not in data),
)
MESSAGE: tuple[tuple[str, Test], ...] = (
    (LANGCHAIN, lambda data: "lc" in data or ("role" not in data and _is(data, LANGCHAIN_TYPES))),
    ("AutoGen messages", lambda data: _of(data, "source", "type", "content")),
    ("LlamaIndex messages", lambda data: _of(data, "role", "blocks")),
    (
        "Gemini contents or OpenTelemetry messages",
        lambda data: _of(data, "role") and isinstance(data.get("parts"), list),
    ),
    (RESPONSES, lambda data: _is(data, RESPONSES_ITEMS) or bool(_part_types(data) & RESPONSES_PARTS)),
    ("a Cline conversation", lambda data: "ts" in data and bool(_part_types(data) & ANTHROPIC_PARTS)),
    ("a LLaMA-Factory data set", lambda data: _of(_first(data.get("content")), "type", "value")),
    (ANTHROPIC, lambda data: bool(_part_types(data) & ANTHROPIC_PARTS)),
)


def vendor_of(data: Mapping[str, Any]) -> str:
    """What a whole object, or an item of a list of conversations, seems to be; "" for none of these."""
    return _name(WHOLE, data)


def vendor_of_messages(messages: Iterable[Any]) -> str:
    """What a list of messages seems to be, by its first message that is of another format."""
    for message in messages:
        if isinstance(message, list) and len(message) == 2 and all(isinstance(item, str) for item in message):
            return LANGCHAIN
        if isinstance(message, Mapping) and (name := _name(MESSAGE, message)):
            return name
    return ""


def _name(tests: tuple[tuple[str, Test], ...], data: Mapping[str, Any]) -> str:
    return next((name for name, fits in tests if fits(data)), "")


def _part_types(message: Mapping[str, Any]) -> set[str]:
    content = message.get("content")
    if not isinstance(content, list):
        return set()
    return {part["type"] for part in content if isinstance(part, Mapping) and isinstance(part.get("type"), str)}
