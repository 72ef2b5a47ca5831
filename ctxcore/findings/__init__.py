"""What is wrong with a context, a conversation or a run: the articles' troubleshooting as rules.

Each finding has its evidence and a remedy. Two of article 2's six mistakes leave no mark in a trace and are not
looked for: several concerns in one stage, and a retriever that nobody measures.
"""

from ctxcore.findings.finding import Finding
from ctxcore.findings.of_replay import findings_of_replay
from ctxcore.findings.of_run import findings_of_run
from ctxcore.findings.of_trace import findings_of_trace

__all__ = ["Finding", "findings_of_replay", "findings_of_run", "findings_of_trace"]
