"""A published design as data: its stages, its budget, and where its article's code differs from what it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ctxcore.budget import MEDIA, MEDIA_LIMIT, MOST, Budget, Limit
from ctxcore.errors import InputError
from ctxcore.item import Item
from ctxcore.stage import Stage

VARIANTS = ("repaired", "article")


@dataclass(frozen=True)
class System:
    """`repaired` is what the article means, made right; `article` is what its code does, faults included."""

    name: str
    source: str  # title and place of the article
    window: int  # tokens, where neither user nor model says
    reserve: int  # tokens kept free for the answer, where the user says nothing
    limits: tuple[Limit, ...]
    repaired: tuple[Stage, ...]
    article: tuple[Stage, ...]
    limit_of: Callable[[Item], str]  # the limit that an item counts to; "" for none
    caps_scale: bool = False  # token caps were written for `window` and shrink with the room
    article_reserve: int | None = None
    reserve_share: float | None = None  # where the reserve is a layer of its own: its share of the window
    preloaded: bool = False  # the payload enters with its items, as the state of an agent does; no stage gathers them

    @property
    def offered(self) -> tuple[Limit, ...]:
        """Limits that the user may set: those that the system has, and one for pictures, sounds and files."""
        return (*self.limits, MEDIA_LIMIT) if self.limits else ()

    def limits_of(self, item: Item) -> tuple[str, ...]:
        """The limits that an item counts to: its own, and that of media beside it."""
        own = self.limit_of(item)
        return (own, MEDIA) if item.is_media or item.source in MEDIA_LIMIT.sources else (own,)

    def stages(self, variant: str) -> tuple[Stage, ...]:
        if variant not in VARIANTS:
            raise InputError("no-variant", name=variant, there=VARIANTS)
        return self.article if variant == "article" else self.repaired

    def native_reserve(self, variant: str, window: int) -> int:
        if self.reserve_share is not None:
            return int(self.reserve_share * min(window, MOST))
        return self.article_reserve if variant == "article" and self.article_reserve is not None else self.reserve

    def budget(self, variant: str, window: int, reserve: int, fixed: int) -> Budget:
        own = self.reserve_share if self.reserve_share and reserve == self.native_reserve(variant, window) else None
        native = self.window - self.reserve if self.caps_scale and variant == "repaired" else None
        return Budget(window, reserve, self.limits, fixed, native, own)
