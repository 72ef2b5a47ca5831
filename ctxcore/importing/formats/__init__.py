"""All formats, one module each, in the order in which a file is tried: the first that fits reads it."""

from __future__ import annotations

from ctxcore.importing.format import Format
from ctxcore.importing.formats.agent_runs import MINI_SWE_AGENT, SWE_AGENT, TAU_BENCH
from ctxcore.importing.formats.aider import AIDER
from ctxcore.importing.formats.anthropic import ANTHROPIC
from ctxcore.importing.formats.autogen import AUTOGEN
from ctxcore.importing.formats.chatgpt import CHATGPT, OPEN_WEBUI
from ctxcore.importing.formats.claude_code import CLAUDE_CODE
from ctxcore.importing.formats.cline import CLINE
from ctxcore.importing.formats.codex import CODEX
from ctxcore.importing.formats.gemini import GEMINI
from ctxcore.importing.formats.gemini_cli import GEMINI_CLI
from ctxcore.importing.formats.inspect_log import INSPECT
from ctxcore.importing.formats.langchain import LANGCHAIN
from ctxcore.importing.formats.langfuse import LANGFUSE
from ctxcore.importing.formats.llama_index import LLAMA_INDEX
from ctxcore.importing.formats.mcp import MCP
from ctxcore.importing.formats.openai_responses import OPENAI_RESPONSES
from ctxcore.importing.formats.otel import OTEL
from ctxcore.importing.formats.pi_agent import PI_AGENT
from ctxcore.importing.formats.records import RECORDS
from ctxcore.importing.formats.sharegpt import SHAREGPT
from ctxcore.words import Phrase

SESSIONS: tuple[Format, ...] = (CODEX, PI_AGENT, GEMINI_CLI, CLAUDE_CODE)  # strict tests, so they come first
TRACES: tuple[Format, ...] = (OTEL, LANGFUSE, SWE_AGENT, MINI_SWE_AGENT, INSPECT, CHATGPT, OPEN_WEBUI)
DATA: tuple[Format, ...] = (TAU_BENCH, SHAREGPT, AUTOGEN, LLAMA_INDEX, MCP)
REQUESTS: tuple[Format, ...] = (GEMINI, OPENAI_RESPONSES, CLINE, ANTHROPIC, LANGCHAIN, RECORDS)
FOREIGN = (*SESSIONS, *TRACES, *DATA, *REQUESTS)
TEXTS: tuple[Format, ...] = (AIDER,)

OWN = {  # read by building.py and files.py
    "scenario": "a scenario file, ctxcore.scenario/1",
    "openai-chat": "an OpenAI chat request, or a log of one with its answer",
    "messages": "a list of messages with role and content, or any object that has one in messages or history",
    "text": "plain text or Markdown: one document",
}
FORMATS = {**OWN, **{one.name: one.about for one in (*REQUESTS, *SESSIONS, *TRACES, *DATA, *TEXTS)}}
SUPPORTED = Phrase("supported", formats=tuple(FORMATS))
