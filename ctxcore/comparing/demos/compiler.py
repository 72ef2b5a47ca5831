"""Article 2's faults: a safety net that takes the summary, and what nobody renders."""

from __future__ import annotations

from ctxcore.comparing.demos.demo import Demo, by, called, lost, made, prose, refused, rules, said, talk
from ctxcore.trace import Trace

RULES = said("system", "You keep the harbour log.")
ASK = said("user", "Which berth is free for the trawler?")
WEATHER = {"type": "function", "function": {"name": "tide", "description": "The tide of a day", "parameters": {}}}
SMALL = {"system": "compiler", "window": 2_000}


def _summary(trace: Trace) -> bool:
    return any(item.source == "summary" for item in trace.final.items)


def _verbatim(trace: Trace) -> int:
    return sum(1 for item in trace.final.items if item.source == "conversation")


def _doc(key: str, text: str) -> dict[str, str]:
    return {"id": key, "text": text}


def _decided(trace: Trace, item: str) -> set[str]:
    return {d.rule for s in trace.snapshots for d in s.decisions if d.item == item}


COMPILER = (
    Demo(
        "summary-goes-first",
        made(
            "summary-goes-first",
            [RULES, *talk(10, 4), ASK],
            documents=[_doc(f"doc-0{n}", f"Berth {n} for the trawler. {prose(24, f'berth {n}')}") for n in range(1, 5)],
        ),
        lambda first, second: not _summary(first) and "article-safety-net" in rules(first) and _summary(second),
        {**SMALL, "window": 1_200, "limits": {"retrieval": "80%"}},
    ),
    Demo(
        "printed-python-counted",
        made(
            "printed-python-counted", [RULES, *(said("user" if n % 2 else "assistant", "ok") for n in range(260)), ASK]
        ),
        by("article-safety-net"),
        {**SMALL, "limits": {"history": "100%"}},
    ),
    Demo(
        "net-gives-up",
        made("net-gives-up", [said("system", prose(260)), ASK]),
        by("article-net-gave-up"),
        SMALL,
    ),
    Demo(
        "tools-never-sent",
        made("tools-never-sent", [RULES, ASK], tools=[WEATHER]),
        by("article-tools-not-sent"),
        {"system": "compiler"},
    ),
    Demo(
        "notes-never-written",
        made(
            "notes-never-written",
            [RULES, ASK],
            notes=[{"id": "note-1", "text": "Berth 4 is free."}],
            state="Find a berth.",
        ),
        lost("Berth 4 is free"),
        {"system": "compiler"},
    ),
    Demo(
        "recent-over-its-share",
        made("recent-over-its-share", [RULES, *talk(3, 24), ASK]),
        lambda first, second: by("article-recent-over")(first, second) and "compressed-recent" in rules(second),
        {**SMALL, "window": 1_000},
    ),
    Demo(
        "substrings-match",
        made(
            "substrings-match",
            [RULES, ASK],
            documents=[_doc("doc-01", "Berth 4 is free for trawlers."), _doc("doc-02", "The cat likes fishermen.")],
        ),
        lambda first, second: "retrieved" in _decided(first, "doc-02") and "no-match" in _decided(second, "doc-02"),
        {"system": "compiler"},
    ),
    Demo(
        "chinese-finds-nothing",
        made(
            "chinese-finds-nothing",
            [RULES, said("user", "拖网渔船可以停哪个泊位？")],
            documents=[_doc("doc-01", "四号泊位空着，拖网渔船可以停靠。")],
        ),
        lost("四号泊位空着"),
        {"system": "compiler"},
    ),
    Demo(
        "one-big-document-ends-all",
        made(
            "one-big-document-ends-all",
            [RULES, ASK],
            documents=[
                _doc("doc-01", f"A berth for the trawler. {prose(150, 'berth')} Which berth is free for the trawler?"),
                _doc("doc-02", "Berth 4 is free."),
            ],
        ),
        lost("Berth 4 is free"),
        {**SMALL, "limits": {"retrieval": "400"}},
    ),
    Demo(
        "orphans-after-the-summary",
        made("orphans-after-the-summary", [RULES, *talk(4, 14), *called("c1", "tide", prose(3)), *talk(2, 2), ASK]),
        refused,
        SMALL,
    ),
    Demo(
        "all-that-is-older-summarized",
        made("all-that-is-older-summarized", [RULES, *talk(10, 5), ASK]),
        lambda first, second: _verbatim(first) < _verbatim(second),
        {**SMALL, "options": {"conversation-compactor.hold_room": "on"}},
    ),
    Demo(
        "no-room-for-an-answer",
        made("no-room-for-an-answer", [RULES, ASK]),
        lambda first, second: first.budget.reserve == 0 < second.budget.reserve,
        {"system": "compiler"},
    ),
)
