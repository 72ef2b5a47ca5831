"""Results as text for people: short lines, numbers aligned, nothing that a terminal could act on."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ctxcore.auditing.of_decision import audit_of
from ctxcore.counting.count import Bill
from ctxcore.decision import Action
from ctxcore.diff import Diff
from ctxcore.explaining.remedies import Remedy
from ctxcore.explaining.why import Story
from ctxcore.linting.finding import Finding
from ctxcore.running import Snapshot
from ctxcore.trace import Trace
from ctxcore.words import sentence

MARKS = {
    Action.ADDED: "+",
    Action.KEPT: "=",
    Action.MOVED: "~",
    Action.TRUNCATED: "<",
    Action.COMPRESSED: "»",
    Action.REWRITTEN: "*",
    Action.DROPPED: "-",
}
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)  # escapes that would act on a terminal


def harmless(text: str) -> str:
    """The text without what a terminal could act on: ids, roles and names come from the user's file."""
    return _CONTROL.sub("·", text)


def plain(text: str, width: int = 0) -> str:
    """One line without control characters; at most `width` characters, if given."""
    line = harmless(" ".join(text.split()))
    return line if not width or len(line) <= width else line[: width - 1] + "…"


def trace(found: Trace, lang: str) -> str:
    lines = [_headline(found), ""]
    for snapshot in found.snapshots:
        lines += _stage(found, snapshot, lang)
    lines += ["", *_limits(found), "", *_messages(found)]
    return "\n".join(lines)


def _headline(found: Trace) -> str:
    t, b = found.totals, found.budget
    fits = "fits" if found.fits else f"OVER by {t.total - b.room:,}"
    return (
        f"{found.system.name} ({found.settings.variant}) · {found.model.name} · "
        f"{found.counter.name} {found.counter.exactness}\n"
        f"{t.total:,} of {b.room:,} tokens ({_share(t.total, b.room)}), {fits} · "
        f"window {b.window:,} − reserve {b.reserve:,}\n"
        f"messages {t.messages:,} + overhead {t.overhead:,} + tools {t.tools:,} + images {t.images:,}"
    )


def _share(total: int, room: int) -> str:
    return f"{100 * total / room:.1f} %" if room > 0 else "no room"


def _stage(found: Trace, snapshot: Snapshot, lang: str) -> list[str]:
    actions = Counter(decision.action for decision in snapshot.decisions)
    told = ", ".join(f"{count} {action}" for action, count in actions.items())
    lines = [
        f"{snapshot.name}: {snapshot.tokens_before:,} → {snapshot.tokens_after:,} tokens, "
        f"{len(snapshot.items)} items ({told})"
    ]
    for decision in snapshot.decisions:
        if decision.action not in (Action.KEPT, Action.ADDED, Action.MOVED):
            lines.append(
                f"  {MARKS[decision.action]} {decision.item:<16} {plain(sentence(decision.rule, decision.facts, lang))}"
            )
            if (audited := audit_of(snapshot, decision)) is not None:
                lines.append(f"    {'':<16} {plain(' '.join(sentence(*said, lang) for said in audited.says()), 200)}")
    for problem in found.problems_of(snapshot):
        lines.append(f"  ! {problem.severity}: {plain(sentence(problem.rule, problem.facts, lang))}")
    return lines


def _limits(found: Trace) -> list[str]:
    return [f"{x.name:<11} {x.used:>9,} of {x.cap:>9,}   {x.typed}" for x in found.limits]


def _messages(found: Trace) -> list[str]:
    return [
        f"{at:>4} {message.role:<10} {end - start:>7,}  {plain(''.join(message.texts), 90)}"
        for at, (message, (start, end, _)) in enumerate(zip(found.final.messages, found.map, strict=True))
    ]


def story(told: Story, found: Sequence[Remedy], lang: str) -> str:
    if not told.found:
        return f"No item holds {plain(told.text, 60)!r}. Check the spelling, or take fewer words."
    lines = [f"{plain(told.text, 60)!r}: {told.fate}"]
    for one in told.stories:
        lines.append(f"\n{one.item} → {one.end}" + (f", message {one.message}" if one.message is not None else ""))
        lines += [
            f"  {MARKS[e.decision.action]} {e.stage:<24} {plain(sentence(e.decision.rule, e.decision.facts, lang))}"
            for e in one.events
        ]
        if one.pieces:
            lines.append(f"  left in {one.inside}: " + " · ".join(repr(plain(piece, 60)) for piece in one.pieces))
    for remedy in found:
        aim = "keep" if told.fate != "kept" else "lose"
        how = plain(shlex.join(remedy.argv)) or "leave its --pin out"
        lines.append(f"\nto {aim} it: {how}\n  {plain(remedy.says(lang))}")
    return "\n".join(lines)


def difference(result: Diff, prefix: str = "") -> str:
    lines = [f"{result.tokens_before:,} → {result.tokens_after:,} tokens", *([prefix] if prefix else [])]
    lines += [f"+ {key}" for key in result.added] + [f"- {key}" for key in result.removed]
    lines += [f"» {c.item}: {c.before:,} → {c.after:,}" for c in result.changed] + [f"~ {key}" for key in result.moved]
    return "\n".join(lines)


def bill(found: Bill) -> str:
    rows = [
        f"{'' if row.message is None else row.message:>5} {plain(row.what, 34):<34} "
        f"{row.tokens:>8,}  {row.exactness:<12} {row.rule}{_other(row.other)}"
        for row in found.rows
    ]
    return "\n".join(
        [f"{found.model} · {found.tokenizer} {found.exactness}", *rows, f"{'':>5} {'total':<34} {found.total:>8,}"]
    )


def _other(told: Mapping[str, Any] | None) -> str:
    return f" ({told['basis']}: {told['tokens']:,})" if told else ""


def lint(found: Iterable[Finding], lang: str) -> str:
    lines = [f"{f.severity:<8} {f.where:<28} {plain(f.message.said(lang))} ({f.rule})" for f in found]
    return "\n".join(lines) or "Nothing that the provider would refuse or misread."


def check(data: Mapping[str, Any], wanted: Sequence[str]) -> str:
    lines = [_lost(one) for one in data["texts"] if one["text"] in data["lost"]]
    if not data["fits"]:
        lines.append(f"over: {data['total']:,} tokens for a room of {data['room']:,}")
    lines += [f"lint: {problem['where']} {plain(problem['message'])}" for problem in data["lint"]]
    return (
        "\n".join(lines)
        or f"ok: {len(wanted)} text(s) kept, {data['total']:,} of {data['room']:,} tokens, no lint error"
    )


def _lost(one: Mapping[str, Any]) -> str:
    """The text, and the stage after which it is no longer there word for word."""
    there = [stage["fate"] == "kept" for stage in one["stages"]]
    at = f"at {one['stages'][there.index(False, there.index(True))]['stage']}" if True in there else "in no source"
    return f"{one['stages'][-1]['fate']}: {plain(one['text'], 80)} ({at})"


def systems(data: Mapping[str, Any]) -> str:
    blocks = []
    for system in data["systems"]:
        limits = ", ".join(f"{x['name']} {x['default']}" for x in system["limits"]) or "none"
        article = ", ".join(f"{path}={value}" for path, value in system["article"].items()) or "nothing"
        blocks.append(
            f"{system['name']}: {system['source']}\n  window {system['window']:,}, reserve {system['reserve']:,}\n"
            f"  stages {' → '.join(system['stages'])}\n  limits {limits}\n  article sets {article}"
        )
    return "\n\n".join(blocks)


def stages(data: Mapping[str, Any]) -> str:
    lines = []
    for stage in data["stages"]:
        lines.append(f"{stage['name']} ({', '.join(stage['systems'])}): {stage['about']}")
        lines += [
            f"  {o['name']}={o['default']}  {o['about']}{' (' + '|'.join(o['choices']) + ')' if o['choices'] else ''}"
            for o in stage["options"]
        ]
    return "\n".join(lines)
