"""All views by name, in the order of the menu."""

from __future__ import annotations

from ui.looking import Draw
from ui.views import diff, items, layout, messages, prompt, treemap

VIEWS: dict[str, Draw] = {
    "items": items.draw, "prompt": prompt.draw, "messages": messages.draw, "treemap": treemap.draw, "layout": layout.draw, "diff": diff.draw,
}
