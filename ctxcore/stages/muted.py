"""What the user takes out by hand, before anything is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ctxcore.groups import groups_of, is_fixed
from ctxcore.payload import Payload
from ctxcore.pins import is_meant
from ctxcore.services import Services


@dataclass(frozen=True)
class Muted:
    """Items are named by id or by a text that they hold. They take their group along, and their pictures; what may
    never be dropped stays, and that is reported."""

    mutes: tuple[str, ...]
    name: ClassVar[str] = "mute"

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        names = tuple(name for name in self.mutes if name)
        meant = {item.id for item in payload.items if is_meant(item, names)}
        silent: set[str] = set()  # messages that lost their words: their pictures go with them
        for group in groups_of(payload.items):
            if not (meant & {item.id for item in group.items} or (group.is_media and group.messages & silent)):
                continue
            if is_fixed(group, payload.question):
                edit.report("mute-refused", "warning", [item.id for item in group.items], item=group.first.id)
                continue
            silent |= group.messages if group.has_pictures else set()
            edit.drop(group.items, "muted-by-you")
        return edit.done()
