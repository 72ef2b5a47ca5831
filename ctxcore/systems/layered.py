"""Article 3: three layers of context, a task board, a ladder of degradation."""

from __future__ import annotations

from ctxcore.budget import Limit
from ctxcore.item import Source
from ctxcore.layers import layer_of
from ctxcore.stages.compress_observation import CompressObservation
from ctxcore.stages.degrade import Degrade
from ctxcore.stages.force_compact import ForceCompact
from ctxcore.stages.layer_layout import LayerLayout
from ctxcore.stages.recall import Recall
from ctxcore.stages.trim_working import TrimWorking
from ctxcore.systems.system import System

LAYERED = System(
    name="layered",
    source="Article 3: context engineering for a ReAct agent",
    window=8_000,
    reserve=0,
    reserve_share=0.10,
    preloaded=True,
    limits=(
        Limit("persistent", (Source.SYSTEM, Source.PROFILE), share=0.10),
        Limit("recall", (Source.DOC, Source.MEMORY), share=0.20),
        Limit(
            "working",
            (
                Source.USER,
                Source.CONVERSATION,
                Source.TOOL,
                Source.STATE,
                Source.NOTE,
                Source.IMAGE,
                Source.AUDIO,
                Source.FILE,
                Source.SUMMARY,
            ),
            share=0.60,
        ),
    ),
    repaired=(CompressObservation(), Recall(), TrimWorking(), Degrade(), ForceCompact(), LayerLayout()),
    article=(  # the code alone: shares, ladder, threshold and fingerprints exist in the article's prose only
        CompressObservation(trigger="always", max_chars=200),
        Recall(mode="never"),
        TrimWorking(count_by="messages", media_words=False),
        Degrade(enabled=False),
        ForceCompact(enabled=False),
        LayerLayout(board_last=False, safety_net=False, text_only=True),
    ),
    limit_of=layer_of,
)
