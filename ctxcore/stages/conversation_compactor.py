"""ConversationCompactor: the history under its share (article 2, §3.5). Below its share it changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.payload import Payload
from ctxcore.services import Services
from ctxcore.stages.compaction import Compaction


@dataclass(frozen=True)
class ConversationCompactor:
    """`overflow`: summarize older turns into one block, truncate the oldest, or prioritize the most relevant.

    The newest `preserve_recent` messages stay verbatim, extended to whole call groups. `fill`: what the block leaves
    of the share goes to further recent turns, verbatim; without it everything older is summarised, as in the article.
    """

    name: ClassVar[str] = "conversation-compactor"
    overflow: str = field(
        default="summarize",
        metadata={
            "choices": ("summarize", "truncate", "prioritize"),
            "about": "what happens to the turns that the share does not hold",
        },
    )
    preserve_recent: int = field(default=6, metadata={"about": "newest messages that stay verbatim"})
    summary_tokens: int = field(
        default=600, metadata={"about": "tokens of the summary, at most (and at most a quarter of the share)"}
    )
    marker: str = field(default="[PRIOR CONVERSATION SUMMARY]", metadata={"about": "first line of the summary"})
    fill: bool = field(default=True, metadata={"about": "give what is left of the share to further recent turns"})
    whole_groups: bool = field(default=True, metadata={"about": "a call and its results stay or go together"})
    hold_room: bool = field(
        default=True, metadata={"about": "hold the room that the other sources leave, not the share alone"}
    )
    compress_recent: bool = field(
        default=True,
        metadata={
            "about": "newest messages that alone exceed the share are compressed, the oldest first; off: they stay"
        },
    )
    media_words: bool = field(
        default=True, metadata={"about": "tell pictures, sounds and files by caption or transcript before turns go"}
    )

    def apply(self, payload: Payload, services: Services) -> Payload:
        work = Compaction(self, payload, services)
        if work.within():
            return payload
        return work.done()
