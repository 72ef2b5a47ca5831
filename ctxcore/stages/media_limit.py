"""The limit of pictures, sounds and files, where the user sets one: before anything else is chosen (a12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ctxcore.budget import MEDIA
from ctxcore.groups import fixed_items
from ctxcore.payload import Payload
from ctxcore.services import Services
from ctxcore.stages.telling import in_words


@dataclass(frozen=True)
class MediaLimit:
    """The newest stay as they are; another is told in words where it brings some that fit, and goes where it does not.

    Those of the question and pins never go. What is left counts to the limit of the conversation as well.
    """

    name: ClassVar[str] = "media-limit"

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        stay = {item.id for item in fixed_items(payload)}
        media = [item for item in payload.items if item.is_media]
        fixed = [item for item in media if item.id in stay]
        cap = payload.budget.cap(MEDIA)
        left = cap - sum(item.tokens for item in fixed)
        edit.keep(fixed, "always")
        if left < 0:
            edit.report("over-cap", "warning", [item.id for item in fixed], limit=MEDIA, cap=cap, over=-left)
        left = max(0, left)
        for item in (item for item in reversed(media) if item.id not in stay):
            words = in_words(payload, item)
            if item.tokens <= left:
                edit.keep(item, "fits", limit=MEDIA, left=left)
                left -= item.tokens
            elif 0 < words <= left:
                edit.compress(item, item.said, "told-in-words", kind=str(item.source), limit=MEDIA)
                left -= words
            else:
                edit.drop(item, "cap", limit=MEDIA, left=left, cap=cap)
        return edit.done()
