"""A text that the user changed by hand between two stages."""

from __future__ import annotations

from dataclasses import dataclass

from ctxcore.payload import Payload
from ctxcore.services import Services


@dataclass(frozen=True)
class Edited:
    """Flows on from where it was made; an item that is no longer there is left in peace, and that is reported."""

    item: str
    text: str
    name: str = "edit"

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        found = next((item for item in payload.items if item.id == self.item), None)
        if found is None or found.is_media:
            edit.report("edit-without-item", "warning", [self.item])
        elif found.text != self.text:
            edit.rewrite(found, self.text, "edited-by-you")
        return edit.done()
