"""Article 1: Gather → Select → Summarize → Construct, with fixed caps."""

from __future__ import annotations

from ctxcore.budget import Limit
from ctxcore.item import Item, Source
from ctxcore.stages.construct import Construct
from ctxcore.stages.gather import Gather
from ctxcore.stages.select import Select
from ctxcore.stages.selection import LIMIT_OF
from ctxcore.stages.summarize import Summarize
from ctxcore.systems.system import System

TALK = (Source.USER, Source.CONVERSATION, Source.IMAGE, Source.AUDIO, Source.FILE, Source.SUMMARY)


def limit_of(item: Item) -> str:
    return item.limit or LIMIT_OF.get(item.source, "recent")


GSSC = System(
    name="gssc",
    source="Article 1: building a context manager, GSSC pipeline",
    window=128_000,
    reserve=4_096,
    limits=(
        Limit("system", (Source.SYSTEM,), tokens=2_000),
        Limit("state", (Source.STATE,), tokens=3_000),
        Limit("notes", (Source.NOTE, Source.MEMORY, Source.PROFILE), tokens=2_000),
        Limit("recent", TALK, tokens=20_000),
        Limit("history", TALK, tokens=30_000),
        Limit("tools", (Source.TOOL,), tokens=40_000),
        Limit("docs", (Source.DOC,), tokens=20_000),
    ),
    repaired=(Gather(), Select(), Summarize(), Construct()),
    article=(
        Gather(recency="count"),
        Select(
            on_misfit="stop",
            measure="thirds",
            hold_room=False,
            whole_groups=False,
            split_recent=False,
            admit_compressed=False,
        ),
        Summarize(trigger="always"),
        Construct(safety_net=False, first_only=True, text_only=True, tool_role="assistant"),
    ),
    limit_of=limit_of,
    caps_scale=True,
)
