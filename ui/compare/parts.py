"""The views of two runs side by side: fates that flipped, payloads word by word, treemaps, settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from ctxcore.comparing.comparison import Comparison, Flip
from ctxcore.comparing.fates import Fate
from ctxcore.comparing.rows import Comparable, diff_rows
from ctxcore.trace import Trace
from ui.compare import evaluate
from ui.compare.story import draw_stories, picked
from ui.components import FlipRow, Mount, Tile, component_words, diff_view, excerpt, flip_list, treemap
from ui.looking import Looking, pick
from ui.one_of import one_of
from ui.said import says
from ui.tables import draw_csv, draw_table
from ui.views.treemap import tiles, tokens_at
from ui.words import language, number, t
from ui.workspace import state

Names = tuple[str, str]
Part = Callable[[Comparison, Names], None]


def flips(compared: Comparison, names: Names) -> None:
    found = compared.flips
    st.caption(t("compare.flipped", count=number(len(found)), of=number(len(compared.first.inputs))))
    with st.container(key="compare_flips"):
        rows = [_row(flip) for flip in found]
        flip_list(rows, _mount("compare.flips", 560), first=names[0], second=names[1])
        if rows:
            draw_csv(lambda: _as_table(rows, names), "compare.flips.table")
    draw_stories(compared, names)


def _as_table(rows: Sequence[FlipRow], names: Names) -> Any:
    import pandas as pd

    told = [(row.id, row.source, row.tokens, *row.first, *row.second) for row in rows]
    sides = [f"{name}: {what}" for name in names for what in ("fate", "tokens", "rule", "reason")]
    return pd.DataFrame(told, columns=["item", "source", "tokens", *sides])


def _row(flip: Flip) -> FlipRow:
    item = flip.item
    return FlipRow(
        item.id, str(item.source), item.tokens, excerpt(item.text)[:90], _told(flip.first), _told(flip.second)
    )


def _told(fate: Fate | None) -> tuple[str, int, str, str]:
    if fate is None:
        return "absent", 0, "", ""
    decision = fate.decision
    return fate.end, fate.tokens, f"{fate.stage} · {decision.rule}", says(decision.rule, decision.facts)


@dataclass(frozen=True, slots=True)
class _Written:
    """A message as the model reads it, known by its first item."""

    id: str
    source: str
    text: str
    tokens: int


def payload(compared: Comparison, names: Names) -> None:
    labels = {name: t(f"compare.by.{name}") for name in ("items", "messages")}
    by = one_of(labels, "items", label=t("compare.by"), place="compare_by", key="compare.by")
    sides: list[Sequence[Comparable]] = [
        trace.final.items if by == "items" else _messages(trace) for trace in (compared.first, compared.second)
    ]
    with st.container(key="compare_payload"):
        diff_view(diff_rows(*sides), _mount("compare.diff", 640), before=names[0], after=names[1])


def _messages(trace: Trace) -> list[_Written]:
    return [
        _Written(
            f"{message.role} · {message.items[0].id}" if message.items else message.role,
            str(message.items[0].source) if message.items else "system",
            "".join(message.texts),
            message.cost(trace.model, trace.counter),
        )
        for message in trace.final.messages
    ]


def treemaps(compared: Comparison, names: Names) -> None:
    labels = {name: t(f"compare.colour.{name}") for name in ("source", "change")}
    colour = one_of(labels, "source", label=t("treemap.colour"), place="compare_colour", key="compare.colour")
    traces = (compared.first, compared.second)
    for at, column in enumerate(st.columns(2, gap="small")):
        with column, st.container(key=f"compare_treemap_{at + 1}"):
            st.caption(names[at])
            rows = _against(_tiles(traces[at]), traces[1 - at])
            window = traces[at].budget.window
            treemap(rows, _mount(f"compare.treemap.{at}", 420), window=window, colour=colour or "source")


def _tiles(trace: Trace) -> list[Tile]:
    look = Looking(trace, len(trace.snapshots) - 1)
    return tiles(look, tokens_at(look, 0))


def _against(rows: list[Tile], other: Trace) -> list[Tile]:
    """The tiles with their change against the other side."""
    there = {item.id: item.tokens for item in other.final.items}
    return [replace(tile, change=_change(tile.tokens, there.get(tile.parent or tile.id, 0))) for tile in rows]


def _change(here: int, there: int) -> str:
    if not here or not there:
        return "same" if here == there else "added" if here else "removed"
    return "same" if here == there else "grown" if here > there else "shrunk"


def settings(compared: Comparison, names: Names) -> None:
    found = compared.changes
    if not found:
        st.info(t("compare.no_changes"), icon=":material/info:")
        return
    with st.container(key="compare_settings"):
        draw_changes([(one.what, one.before, one.after) for one in found], names)


def draw_changes(rows: Sequence[tuple[str, str, str]], names: Names) -> None:
    import pandas as pd

    table = pd.DataFrame(rows, columns=[t("compare.what"), *names])
    draw_table(table, hide_index=True, key="changes.table", height="content")


PARTS: Mapping[str, Part] = {
    "flips": flips,
    "payload": payload,
    "treemap": treemaps,
    "settings": settings,
    "evaluate": evaluate.draw,
}


def pick_part(now: str) -> str:
    labels = {name: t(f"compare.part.{name}") for name in PARTS}
    part = one_of(labels, now, label=t("view.pick"), place="compare_part", key=state.key("part"))
    state.change(part=part)
    return part


def _mount(key: str, height: int) -> Mount:
    return Mount(key, component_words(language()), selected=picked(), height=height, on_pick=pick)
