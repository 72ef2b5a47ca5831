"""The counting rules of a family of models: what surrounds texts, calls, tools. Their numbers stand in models.json."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """All in tokens. `fitted` names the fields that nobody has published: fitted to recorded bills."""

    message: int = 3  # each message
    role: int = 1
    system: int | None = None  # a system message, where it does not cost what any other does
    name: int = 1  # a participant's name, beside its own tokens
    call: int = 3  # each call
    parallel: int = 11  # more, once, where a message holds two calls or more …
    parallel_call: int = 3  # … and more for each of them
    result: int = 2  # a tool's answer, beside the tokens of the tool's name
    result_named: bool = True  # whether a result costs its tool's name
    priming: int = 3  # the head of the reply
    tool_block: int = 9  # around the definitions of tools
    tool_block_joined: int = 5  # the same, where a system message comes first
    tool_each: int = 0  # more for each tool
    tool_bare: int = 0  # less for a tool with parameters none of which is described
    tool_undescribed: int = 0  # less for a tool without a description
    tool_forced: int = 0  # more where some tool must be called
    tools: str = "typescript"  # how definitions are written: typescript | json
    choice_none: int = 1  # tool_choice none
    choice_named: int = 7  # one tool that must be called, beside its name's tokens
    thinking: int = 0  # an extended-thinking prompt
    form: int = 1  # around the schema of the answer
    document: int = 0  # around a document of plain text
    published: str = ""  # where the published ones come from
    fitted: tuple[str, ...] = ("parallel", "parallel_call", "tool_block", "tool_block_joined", "tool_bare", "form")
