"""All drawn components on one page, with sample data: `streamlit run tests/gallery.py`. Browser tests use it too.

`?items=5000` fills the treemap, the map and the list with that many items, `?lang=zh` speaks Chinese, `?only=treemap`
draws one, `?scenario=support-chat` fills treemap and list with a real run.
"""

from __future__ import annotations

import math
import random
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[1]))

from ctxcore import Scenario, Trace, build
from ctxcore.comparing.rows import diff_rows
from ctxcore.decision import Decision
from ctxcore.words import sentence
from ui.components import (
    Block,
    ItemRow,
    Marks,
    Message,
    Mount,
    RailStage,
    Recall,
    Segment,
    Span,
    Tile,
    Window,
    component_words,
    diff_view,
    excerpt,
    item_list,
    layout_map,
    prompt_view,
    rail,
    room_tiles,
    treemap,
    window_bar,
)

WINDOW, RESERVE, TOOLS, OVERHEAD = 8_000, 1_000, 420, 96
STAGES = ("gather", "select", "summarize", "construct")


@dataclass(frozen=True)
class Sample:
    id: str
    source: str
    text: str
    tokens: int


@dataclass(frozen=True)
class Fate:
    """One item through the stages: tokens after each, and what happened at the last."""

    id: str
    source: str
    sizes: tuple[int, int, int, int]
    action: str = "kept"
    relevance: float = 1.0


FATES = (
    Fate("system-01", "system", (310, 310, 310, 310)),
    Fate("question", "user", (64, 64, 64, 64)),
    Fate("state-01", "state", (280, 280, 280, 280), "moved"),
    Fate("note-01", "note", (120, 120, 120, 120)),
    Fate("note-02", "note", (95, 95, 95, 95)),
    Fate("memory-01", "memory", (160, 160, 160, 160), "kept", 0.7),
    Fate("profile-01", "profile", (88, 0, 0, 0), "dropped", 0.2),
    Fate("doc-01", "doc", (812, 812, 812, 812), "kept", 0.93),
    Fate("doc-02", "doc", (760, 760, 410, 410), "compressed", 0.74),
    Fate("doc-03", "doc", (1210, 0, 0, 0), "dropped", 0.41),
    Fate("doc-04", "doc", (388, 388, 388, 388), "kept", 0.66),
    Fate("tool-01", "tool", (1904, 1904, 640, 640), "compressed", 0.8),
    Fate("tool-02", "tool", (520, 520, 520, 400), "truncated", 0.5),
    Fate("image-01", "image", (765, 765, 765, 765)),
    *(
        Fate(
            f"turn-{k:02}",
            "conversation",
            (90 + 37 * (k % 5),) * 2 + ((0,) * 2 if k < 5 else (90 + 37 * (k % 5),) * 2),
            "dropped" if k < 5 else "kept",
            k / 14,
        )
        for k in range(14)
    ),
    Fate("summary-01", "summary", (0, 0, 210, 210), "added"),
)


def pseudo(count: int) -> tuple[Fate, ...]:
    pick = random.Random(7)
    sources = ("system", "conversation", "conversation", "tool", "doc", "doc", "state", "note", "memory")
    made = []
    for k in range(count):
        size = int(pick.paretovariate(1.2) * 40)
        cut = pick.random()
        end = 0 if cut < 0.2 else size // 3 if cut < 0.3 else size
        action = "dropped" if not end else "compressed" if end < size else "kept"
        made.append(Fate(f"item-{k:04}", pick.choice(sources), (size, size, end, end), action, pick.random()))
    return tuple(made)


def recall_curve(total: int) -> Recall:
    def at(x: float) -> float:
        return 0.768 * (1 + 0.03 * math.exp(-x / 0.12) + 0.17 * math.exp(-(1 - x) / 0.24))

    points = [(total * k / 100, at(k / 100)) for k in range(101)]
    low, high = min(y for _, y in points), max(y for _, y in points)
    inside = [x for x, y in points if y <= low + 0.25 * (high - low)]
    return Recall(tuple(points), ((inside[0], inside[-1]),))


def blocks_of(fates: tuple[Fate, ...]) -> tuple[tuple[Block, ...], int]:
    made, at = [], TOOLS
    for fate in fates:
        if not fate.sizes[3]:
            continue
        flag = "74 % here, 83 % at the end" if fate.id in ("doc-01", "item-0200") else ""
        made.append(Block(fate.id, fate.source, at, fate.sizes[3], fate.relevance, flag=flag))
        at += fate.sizes[3] + 4
    return (Block("tools", "tools", 0, TOOLS, 0.2, "tools"), *made), at


def tiles_of(fates: tuple[Fate, ...], stage: int, window: int) -> tuple[Tile, ...]:
    def change(fate: Fate) -> str:
        return change_of(fate.sizes[max(0, stage - 1)], fate.sizes[stage])

    def action(fate: Fate) -> str:
        return fate.action if fate.sizes[stage] != fate.sizes[0] or fate.action == "moved" else "kept"

    rows = [
        Tile(f.id, f.source, f.sizes[stage], max(f.sizes), f.id, action(f), change(f), f.relevance)
        for f in fates
        if max(f.sizes)
    ]
    parts = [
        Tile(f"tool-01/{k}", "tool", size if stage < 2 else size // 3, size, label, parent="tool-01")
        for k, (label, size) in enumerate((("call", 104), ("result", 1500), ("result 2", 300)))
    ]
    used = [sum(f.sizes[k] for f in fates) for k in range(4)]
    held = Window(window, RESERVE, TOOLS, OVERHEAD, used[stage], sum(max(f.sizes) for f in fates), min(used))
    return (*rows, *(parts if fates is FATES else ()), *room_tiles(held))


LONG = "\n".join(
    f"2026-11-{1 + k % 30:02}  region {k % 4}  plan B  churned {k % 9}  kept {40 + k % 60}" for k in range(80)
)
ROLE = "You are the retention analyst of a subscription shop.\nAnswer with numbers and name their source."
BOARD = "goal: explain the drop in week 3\ndone: cohort table, price test\nopen: refund policy"
REFUND = (
    "Refund policy. Customers may return within 38 days. After the change in October the share of returns fell to 12 %."
)
PRICE = "Price test. Plan B was shown to 38 % of visitors; its churn was 4.1 % against 5.6 %."
ROWS = "\n".join(f"Row {k}: nothing new." for k in range(12))
PRICE_FULL = f"""Price test
Plan B was shown to 38 % of visitors.
It ran for six weeks in four regions.
{ROWS}
Churn was 4.1 % against 5.6 %.
End."""
PRICE_SHORT = f"""Price test
Plan B was shown to 38 % of visitors, for six weeks.
{ROWS}
Churn was 4.1 % against 5.6 %."""

ASKED = (
    Span("[Task state]\n"),
    Span(BOARD, "state-01", "state"),
    Span("\n\n[Documents]\n(1) "),
    Span(REFUND, "doc-01", "doc"),
    Span("\n(2) "),
    Span(PRICE, "doc-02", "doc"),
    Span("\n\n[Tool result: sql_query]\n"),
    Span(LONG, "tool-01", "tool"),
    Span("\n\n[Notes]\n"),
    Span("The week starts on Monday.", "note-01", "note"),
)
SCREENSHOT = (
    Span("这是第三周的留存曲线截图。", "turn-08", "conversation"),
    Span("", "image-01", "image", (3008, 2000)),
)
MESSAGES = (
    Message("system", 310, (Span(ROLE, "system-01", "system"),)),
    Message("user", 2_480, ASKED),
    Message("user", 829, SCREENSHOT),
    Message("assistant", 160, (Span("Noted: the curve bends on the 14th.", "turn-09", "conversation"),)),
    Message("user", 64, (Span("Why did retention drop in week 3?", "question", "user"),)),
)
BEFORE = (
    Sample("system-01", "system", "You are the analyst.", 310),
    Sample("doc-02", "doc", PRICE_FULL, 760),
    Sample("doc-03", "doc", "Shipping times\nParcels take two to five days.\nExpress takes one.", 1_210),
    Sample("note-01", "note", "The week starts on Monday.", 120),
    Sample("state-01", "state", "goal: explain the drop", 280),
    *(Sample(f"turn-{k:02}", "conversation", f"Turn {k}", 90) for k in range(6)),
    Sample("tool-01", "tool", LONG, 1_904),
)
AFTER = (
    Sample("state-01", "state", "goal: explain the drop", 280),
    BEFORE[0],
    Sample("doc-02", "doc", PRICE_SHORT, 410),
    BEFORE[3],
    *BEFORE[5:11],
    Sample("summary-01", "summary", "The customer asked twice about refunds.\nBoth answers named 38 days.", 210),
    replace(BEFORE[11], text="\n".join(LONG.split("\n")[:30]), tokens=640),
)


def picked(name: str) -> str | None:
    return st.session_state.get("picked", {}).get(name)


def mount(name: str, height: int | None = None) -> Mount:
    def keep(event: str) -> None:
        st.session_state["picked"] = {**st.session_state.get("picked", {}), name: event}

    return Mount(f"gallery_{name}", component_words(st.query_params.get("lang", "en")), picked(name), height, keep)


def show_rail() -> None:
    stages = (
        RailStage("gather", (0, 41), (0, 12_480), 0.0042),
        RailStage("select", (41, 23), (12_480, 8_940), 0.012, problems=2),
        RailStage(
            "guard",
            (23, 23),
            (8_940, 8_940),
            0,
            skipped=True,
            reason="nothing to guard: no keyword is set among the options",
        ),
        RailStage("summarize", (23, 23), (8_940, 7_430), 1.31, problems=1, severity="error"),
        RailStage("construct", (23, 9), (7_430, 7_612), 0.031),
    )
    rail(stages, mount("rail"), run_to="summarize")


def show_bar() -> None:
    sizes: dict[str, int] = {}
    for fate in FATES:
        sizes[fate.source] = sizes.get(fate.source, 0) + fate.sizes[3]
    segments = [
        Segment("overhead", OVERHEAD),
        Segment("tools", TOOLS),
        *(Segment(name, size) for name, size in sizes.items() if size),
    ]
    window_bar(segments, mount("bar"), window=WINDOW, reserve=RESERVE, limits=(("docs", 2_000),))
    window_bar(
        [*segments, Segment("doc", 1_900, "more", "more documents")], mount("bar_over"), window=WINDOW, reserve=RESERVE
    )


@st.cache_resource
def run_of(scenario: str) -> Trace:
    return build(Scenario.load(str(Path(__file__).parents[1] / "ctxcore" / "scenarios" / f"{scenario}.json")))


def stage_of(trace: Trace) -> int:
    names = [snapshot.name for snapshot in trace.snapshots]
    return names.index(st.segmented_control("stage", names, default=names[-1], key="run_stage") or names[-1])


def run_tiles(trace: Trace, stage: int) -> tuple[Tile, ...]:
    sizes = [{item.id: item.tokens for item in snapshot.items} for snapshot in trace.snapshots]
    source = {item.id: str(item.source) for snapshot in trace.snapshots for item in snapshot.items}
    places = {name: max(size.get(name, 0) for size in sizes) for name in source}
    now, before, fates = sizes[stage], sizes[max(0, stage - 1)], run_fates(trace, stage)

    def tile(name: str) -> Tile:
        size, fate = now.get(name, 0), fates.get(name, "kept")
        return Tile(name, source[name], size, places[name], name, fate, change_of(before.get(name, 0), size))

    used, totals = [sum(size.values()) for size in sizes], trace.totals
    beside = Window(
        trace.budget.window,
        trace.budget.reserve,
        totals.tools,
        totals.overhead,
        used=used[stage],
        places=sum(places.values()),
        least=min(used),
    )
    return (*map(tile, source), *room_tiles(beside))


def run_fates(trace: Trace, stage: int) -> dict[str, str]:
    """The last thing that happened to each item up to that stage."""
    decisions = [d for snapshot in trace.snapshots[: stage + 1] for d in snapshot.decisions]
    return {d.item: str(d.action) for d in decisions if d.action != "kept"}


def change_of(before: int, now: int) -> str:
    if now == before:
        return "same"
    return "removed" if not now else "added" if not before else "shrunk" if now < before else "grown"


def run_rows(trace: Trace, stage: int, lang: str) -> list[ItemRow]:
    snapshot = trace.snapshots[stage]
    source = {item.id: str(item.source) for item in (*snapshot.before.items, *snapshot.items)}
    text = {item.id: item.text for item in (*snapshot.before.items, *snapshot.items)}
    moved = {d.item for d in snapshot.decisions if d.action == "moved"}

    def row(d: Decision) -> ItemRow:
        group = f"call {d.facts['group']}" if d.rule == "group-cap" else ""
        reason, pinned = sentence(d.rule, d.facts, lang), d.item == "doc-01"
        sizes, beside = (d.before, d.after), (pinned, group, d.item in moved)
        return ItemRow(d.item, source[d.item], d.action, d.rule, reason, *sizes, *beside, excerpt(text[d.item], MARK))

    return [row(d) for d in snapshot.decisions if d.action != "moved"]


def sample_rows(fates: tuple[Fate, ...]) -> list[ItemRow]:
    def row(k: int, f: Fate) -> ItemRow:
        first, last = f.sizes[0], f.sizes[3]
        reason = f"{first:,} tokens became {last:,}. {LONG[:160]}"
        group = f"call-{k // 3}" if f.source == "tool" else ""
        rule, moved = f"rule-{f.action}", f.action == "compressed"
        text = f"{f.id} says: {LONG if k % 2 else REFUND}" if st.query_params.get("plain") is None else ""
        sizes, beside = (first, last), (k % 9 == 2, group, moved)
        return ItemRow(f.id, f.source, f.action, rule, reason, *sizes, *beside, excerpt(text, MARK))

    return [row(k, fate) for k, fate in enumerate(fates)]


def show_treemap() -> None:
    if scenario := st.query_params.get("scenario"):
        trace = run_of(scenario)
        tiles, window = run_tiles(trace, stage_of(trace)), trace.budget.window
    else:
        tiles, window = sample_tiles()
    colour = st.segmented_control("colour", ("source", "fate", "relevance", "change"), default="source", key="colour")
    treemap(tiles, mount("treemap"), window=window, colour=colour or "source")


def sample_tiles() -> tuple[tuple[Tile, ...], int]:
    count = int(st.query_params.get("items", "0"))
    fates = pseudo(count) if count else FATES
    stage = STAGES.index(st.segmented_control("stage", STAGES, default="construct", key="stage") or "construct")
    window = 3 * sum(fate.sizes[0] for fate in fates) // 2 if count else int(st.query_params.get("window", WINDOW))
    return tiles_of(fates, stage, window), window


def show_list() -> None:
    count, scenario = int(st.query_params.get("items", "0")), st.query_params.get("scenario")
    if scenario:
        trace = run_of(scenario)
        stage = stage_of(trace) if st.query_params.get("only") == "list" else 1
        rows = run_rows(trace, stage, st.query_params.get("lang", "en"))
    else:
        rows = sample_rows(pseudo(count) if count else FATES)
    item_list(() if "empty" in st.query_params else rows, mount("list"), rules=RULES, mark=MARK)


def show_shortcuts() -> None:
    """Page-wide shortcuts on the arrow keys, as the playground has them. `pressed` counts what got through to them."""

    def count(side: str) -> None:
        st.session_state[side] = st.session_state.get(side, 0) + 1

    with st.container(horizontal=True):
        for side in ("Left", "Right"):
            st.button(side, shortcut=side, on_click=count, args=(side,))
        st.text(f"pressed {st.session_state.get('Left', 0)} {st.session_state.get('Right', 0)}")


def show_map() -> None:
    count = int(st.query_params.get("items", "0"))
    blocks, total = blocks_of(pseudo(count) if count else FATES)
    starts = [block.start for k, block in enumerate(blocks) if k % 3 == 1]
    layout_map(blocks, recall_curve(total), mount("map"), total=total, marks=Marks(starts))


def show_prompt() -> None:
    prompt_view(MESSAGES, mount("prompt", 480))


def show_diff() -> None:
    rows = diff_rows(BEFORE, AFTER, {"doc-02": "compressed", "tool-01": "truncated"})
    diff_view(rows, mount("diff", 560), before="select", after="summarize")


MARK = "hamper"  # what is sought in the list
RULES = {"cap": "It does not fit what is left of its limit."}
SHOWN = {
    "shortcuts": show_shortcuts,
    "rail": show_rail,
    "bar": show_bar,
    "list": show_list,
    "treemap": show_treemap,
    "map": show_map,
    "prompt": show_prompt,
    "diff": show_diff,
}


def gallery() -> None:
    for name, show in SHOWN.items():
        if name in st.query_params.get("only", name).split(","):
            with st.container(key=f"show_{name}"):
                show()
    st.text(
        " ".join(f"{name}={event}" for name, event in st.session_state.get("picked", {}).items()) or "picked nothing"
    )


st.set_page_config(page_title="ctxcore components", page_icon="🧭", layout="wide")
st.navigation([st.Page(gallery)], position="hidden").run()  # or Streamlit would list tests/pages beside it
