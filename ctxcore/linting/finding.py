"""What lint says: the rules with their severity and sentence, and one finding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# error: the provider refuses the request; warning: it may be read otherwise than meant; info: allowed, and worth a look
RULES: dict[str, tuple[str, str]] = {
    "messages-malformed": ("error", "messages is {found}: it must be a list."),
    "messages-empty": ("error", "There are no messages: a request needs at least one."),
    "message-malformed": ("error", "A message must be an object, and this is {found}."),
    "role-unknown": ("error", "The role is {role}; known are {known}."),
    "field-malformed": ("error", "{field} is {found}: it must be {wanted}, or be left out."),
    "content-malformed": ("error", "content is {found}: a {role} message takes {wanted}."),
    "content-empty": ("error", "This {role} message is empty."),
    "system-empty": ("warning", "This {role} message says nothing."),
    "part-malformed": ("error", "A part of type {type} must have {wanted}."),
    "part-not-allowed": ("error", "A {role} message takes no part of type {type}, only {wanted}."),
    "calls-malformed": ("error", "tool_calls is {found}: it must be a list with at least one call, or be left out."),
    "call-malformed": ("error", "This call has no {missing}."),
    "call-name-invalid": ("error", "The function is called {name}: it must match {wanted}."),
    "call-id-invalid": ("error", "The id {id} must match {wanted}."),
    "call-id-twice": ("error", "The id {id} stands twice in one message: no result can tell the calls apart."),
    "call-id-reused": ("warning", "The id {id} was used by an earlier call (message {call}) already."),
    "call-unanswered": ("error", "The call {id} of {name} is never answered."),
    "arguments-not-json": ("warning", "The arguments of {name} are no valid JSON ({problem})."),
    "result-without-id": ("error", "This result does not say which call it answers."),
    "result-without-call": ("error", "This result answers the call {id}, which no earlier message makes."),
    "result-twice": ("error", "The call {id} has been answered already."),
    "result-displaced": ("error", "This result of the call {id} does not directly follow its call (message {call})."),
    "result-behind-text": ("error", "The result of the call {id} must stand before the words of its message."),
    "text-blank": ("error", "A text of this {role} message holds nothing but blanks."),
    "ends-in-blanks": ("error", "The answer that is begun for the model ends in blanks."),
    "system-inside": ("warning", "A {role} message stands behind others: it moves to the front, or is refused."),
    "reasoning-alone": ("error", "The thought {id} is not followed by the message or call that it belongs to."),
    "thinking-unsigned": ("error", "This thought has no signature, and the calls behind it are still open."),
    "too-many-cache-marks": ("error", "There are {count} cache marks; at most {most} are allowed."),
    "same-role-twice": ("info", "Two {role} messages in a row: some providers merge or refuse them."),
    "starts-with-assistant": ("warning", "The conversation starts with the assistant; some providers refuse that."),
    "tools-malformed": ("error", "tools is {found}: it must be a list."),
    "too-many-tools": ("error", "There are {count} tools; at most {most} are allowed."),
    "tool-malformed": ("error", "This tool has no {missing}."),
    "tool-name-invalid": ("error", "The tool is called {name}: it must match {wanted}."),
    "tool-name-twice": ("error", "A tool called {name} stands at {first} already."),
}


@dataclass(frozen=True, slots=True)
class Finding:
    rule: str
    severity: str  # error | warning | info
    provider: str
    message: str  # in English; `facts` are for other languages
    where: str  # a JSON pointer: /messages/3/tool_calls/0
    facts: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "severity": self.severity,
            "provider": self.provider,
            "message": self.message,
            "where": self.where,
            "facts": dict(self.facts),
        }


def finding(rule: str, where: str, /, provider: str = "openai", severity: str = "", **facts: Any) -> Finding:
    """`severity` where it is not the rule's own: providers differ."""
    usual, sentence = RULES[rule]
    return Finding(rule, severity or usual, provider, sentence.format(**facts), where, facts)
