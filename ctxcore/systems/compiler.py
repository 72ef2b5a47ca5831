"""Article 2: the compiler pipeline, with shares of the window."""

from __future__ import annotations

from ctxcore.budget import Limit
from ctxcore.item import Item, Source
from ctxcore.stages.conversation_compactor import ConversationCompactor
from ctxcore.stages.final_assembler import FinalAssembler
from ctxcore.stages.guardrail import GuardrailStage
from ctxcore.stages.retrieval_injector import RetrievalInjector
from ctxcore.stages.static_content_loader import StaticContentLoader
from ctxcore.stages.tool_result_compactor import ToolResultCompactor
from ctxcore.stages.user_profile_injector import UserProfileInjector
from ctxcore.systems.system import System

STATIC = (Source.SYSTEM, Source.STATE, Source.NOTE, Source.MEMORY, Source.PROFILE)
TALK = (Source.USER, Source.CONVERSATION, Source.IMAGE, Source.AUDIO, Source.FILE, Source.SUMMARY)


def limit_of(item: Item) -> str:
    """A result in the conversation counts to the history, as its message does; one that answers no call to tools."""
    if item.source in STATIC:
        return "system"
    if item.source is Source.DOC:
        return "retrieval"
    return "tools" if item.source is Source.TOOL and not item.group else "history"


COMPILER = System(
    name="compiler",
    source="Article 2: the context layer, architecture and code",
    window=32_000,
    reserve=4_096,
    article_reserve=0,
    limits=(
        Limit("system", STATIC, share=0.15),
        Limit("history", TALK, share=0.50),
        Limit("retrieval", (Source.DOC,), share=0.25),
        Limit("tools", (Source.TOOL,), share=0.10),
    ),
    repaired=(
        StaticContentLoader(),
        ConversationCompactor(),
        ToolResultCompactor(),
        UserProfileInjector(),
        RetrievalInjector(),
        GuardrailStage(),
        FinalAssembler(),
    ),
    article=(
        StaticContentLoader(),
        ConversationCompactor(
            fill=False, whole_groups=False, hold_room=False, compress_recent=False, media_words=False
        ),
        ToolResultCompactor(),
        UserProfileInjector(),
        RetrievalInjector(match="substring", on_misfit="stop", repeats="keep"),
        GuardrailStage(),
        FinalAssembler(net="pop-first", hold_limits=False, text_only=True),
    ),
    limit_of=limit_of,
)
