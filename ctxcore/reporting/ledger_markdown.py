"""The ledger as Markdown: a table a stage, for a ticket, a review or a commit. Nothing in it acts."""

from __future__ import annotations

import re

from ctxcore.reporting.palette import ACTIONS
from ctxcore.trace import Trace
from ctxcore.words import report_words, sentence

_ACTS = re.compile(r"([\\`*_{}\[\]()#+!|~<>$&@])")
_LINK = re.compile(r"(?<=http)(?=s?://)|(?<=www)(?=\.)", re.IGNORECASE)  # some renderers make links of bare addresses


def ledger_markdown(trace: Trace, lang: str = "en") -> str:
    """What every stage decided on every item; items that a stage left alone are counted in its last line."""
    words = report_words(lang)
    total = words["total"].format(total=trace.totals.total, room=trace.budget.room)
    lines = [f"# {plain(_title(trace, lang))}", "", f"{trace.system.name} · {trace.settings.variant} · {total}"]
    for snapshot in trace.snapshots:
        left = 0
        lines += ["", f"## {snapshot.name}: {snapshot.tokens_before:,} → {snapshot.tokens_after:,}", ""]
        rows = []
        for d in snapshot.decisions:
            if d.rule == "untouched":
                left += 1
                continue
            mark = f"{ACTIONS[d.action].glyph} {words[f'action.{d.action}']}"
            reason = plain(sentence(d.rule, d.facts, lang))
            rows.append(f"| {plain(d.item)} | {mark} | {d.before:,} → {d.after:,} | {d.rule} | {reason} |")
        if rows:
            names = (words[f"column.{name}"] for name in ("item", "action", "tokens", "rule", "reason"))
            lines += [f"| {' | '.join(names)} |", "| --- | --- | ---: | --- | --- |", *rows]
        if left:
            lines += ["", words["untouched"].format(count=left)]
    return "\n".join(lines) + "\n"


def plain(text: str) -> str:
    """As one line of Markdown that shows as the text."""
    return _LINK.sub("\u200b", _ACTS.sub(r"\\\1", " ".join(text.split())))


def _title(trace: Trace, lang: str) -> str:
    return trace.scenario.title.get(lang) or trace.scenario.name or trace.system.name
