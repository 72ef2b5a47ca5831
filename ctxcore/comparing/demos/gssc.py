"""Article 1's faults: caps that nothing scales, a loop that stops, a selection before the summary."""

from __future__ import annotations

from ctxcore.comparing.demos.demo import (
    Demo,
    by,
    called,
    keeps,
    lost,
    made,
    message_of,
    overflows,
    prose,
    refused,
    said,
    shipped,
    talk,
)
from ctxcore.trace import Trace

ASK = said("user", "How many boats did the harbour log count on day 2?")
RULES = said("system", "You keep the harbour log. Answer from the log alone.")
ZH = "港口日志记录每天进出的船只数量，值班员在交接班时核对一次。" * 12


def _result(key: str, text: str, recent: bool = False) -> dict[str, object]:
    return {"id": key, "tool": "log", "text": text, "recent": recent}


def _doc(key: str, text: str, score: float) -> dict[str, object]:
    return {"id": key, "text": text, "score": score}


def _used(trace: Trace, name: str) -> tuple[int, int]:
    return next((use.used, use.cap) for use in trace.limits if use.name == name)


def _thirds(first: Trace, second: Trace) -> bool:
    """The article holds the limit by its estimate, and breaks it in truth; repaired, one document stays out."""
    used, cap = _used(first, "docs")
    out = {item.id for item in first.final.items} - {item.id for item in second.final.items}
    return used > cap >= _used(second, "docs")[0] and out == {"doc-02"}


def _newest(trace: Trace) -> tuple[bool, bool]:
    ids = {item.id for item in trace.final.items}
    return "log-1" in ids, "log-9" in ids


def _priority(trace: Trace) -> int:
    return [item for item in trace.inputs if item.source == "conversation"][-1].priority


def _recent_last(trace: Trace) -> bool:
    """Whether the newest turn stands after the tool results."""
    return message_of(trace, "turn-0005") > message_of(trace, "log-1")


def _compressed(trace: Trace, item: str) -> bool:
    return any(d.item == item and d.action == "compressed" for s in trace.snapshots for d in s.decisions)


def _role(trace: Trace) -> str:
    return str(trace.messages[message_of(trace, "log-1")]["role"])


def _half(trace: Trace) -> bool:
    """A result is in the payload, and the call that it answers is not."""
    roles = [message["role"] for message in trace.messages]
    return any(role == "tool" and roles[at - 1] not in ("assistant", "tool") for at, role in enumerate(roles))


GSSC = (
    Demo("caps-never-scale", shipped("support-chat"), overflows, {"system": "gssc", "window": 4_000}),
    Demo(
        "chinese-undercounted",
        made("chinese-undercounted", [ASK], documents=[_doc("doc-01", ZH, 0.9), _doc("doc-02", prose(4), 0.5)]),
        _thirds,
        {"limits": {"docs": "300"}},
    ),
    Demo(
        "english-overcounted",
        made("english-overcounted", [ASK], documents=[_doc("doc-01", prose(20), 0.9)]),
        lost("day 20 counts 136 boats"),
        {"limits": {"docs": "260"}},
    ),
    Demo(
        "one-misfit-ends-all",
        made(
            "one-misfit-ends-all",
            [RULES, ASK],
            tool_results=[
                _result("big", prose(300), True),
                *(_result(f"log-{n}", f"Berth {n} is free.") for n in range(1, 6)),
            ],
        ),
        lost("Berth 5 is free"),
        {"limits": {"tools": "400"}, "options": {"select.admit_compressed": "off"}},
    ),
    Demo(
        "oldest-results-stay",
        made(
            "oldest-results-stay",
            [RULES, ASK],
            tool_results=[_result(f"log-{n}", prose(9, f"berth {n}"), True) for n in range(1, 10)],
        ),
        lambda first, second: (_newest(first), _newest(second)) == ((True, False), (False, True)),
        {"limits": {"tools": "500"}},
    ),
    Demo(
        "selected-before-compressed",
        made("selected-before-compressed", [RULES, ASK], state=prose(80)),
        lambda first, second: (
            not keeps(first, "day 2 counts 10 boats") and "state" in {i.source for i in second.final.items}
        ),
        {"limits": {"state": "400"}},
    ),
    Demo(
        "question-summarized",
        made("question-summarized", [RULES, said("user", f"{prose(260)} Which day had the most boats?")]),
        lambda first, second: _compressed(first, "turn-0002") and not _compressed(second, "turn-0002"),
    ),
    Demo(
        "compressed-without-need",
        made("compressed-without-need", [RULES, ASK], documents=[_doc("doc-01", prose(260), 0.9)]),
        lambda first, second: _compressed(first, "doc-01") and not _compressed(second, "doc-01"),
    ),
    Demo(
        "no-system-no-notes",
        made(
            "no-system-no-notes",
            [ASK],
            state="Count the boats of day 2.",
            notes=[{"id": "note-1", "text": "Day 2 was foggy."}],
        ),
        lost("Day 2 was foggy"),
    ),
    Demo(
        "only-the-first-note",
        made(
            "only-the-first-note",
            [RULES, ASK],
            notes=[{"id": "note-1", "text": "Day 1 was calm."}, {"id": "note-2", "text": "Day 2 was foggy."}],
        ),
        lost("Day 2 was foggy"),
    ),
    Demo(
        "calls-lost",
        made("calls-lost", [RULES, said("user", "Count the boats."), *called("c1", "count_boats", "17 boats"), ASK]),
        lambda first, second: refused(first, second) and by("article-calls-lost")(first, second),
    ),
    Demo(
        "pairs-cut",
        made("pairs-cut", [RULES, said("user", prose(9)), *called("c1", "log", "17 boats"), *talk(1, 2), ASK]),
        lambda first, second: _half(first) and not _half(second),
        {"limits": {"history": "69"}, "options": {"construct.text_only": "off"}},
    ),
    Demo(
        "results-speak-as-assistant",
        made("results-speak-as-assistant", [RULES, ASK], tool_results=[_result("log-1", "17 boats.")]),
        lambda first, second: (_role(first), _role(second)) == ("assistant", "user"),
    ),
    Demo(
        "newest-is-not-three",
        made("newest-is-not-three", [RULES, *talk(2, 1), ASK]),
        lambda first, second: (_priority(first), _priority(second)) == (4, 3),
    ),
    Demo(
        "no-recent-block",
        made("no-recent-block", [RULES, *talk(2, 1), ASK], tool_results=[_result("log-1", "17 boats.")]),
        lambda first, second: not _recent_last(first) and _recent_last(second),
    ),
)
