"""All views by name, in the order of the menu."""

from __future__ import annotations

from ui.looking import Draw
from ui.one_of import one_of
from ui.views import ask, diff, findings, growth, items, layout, messages, prompt, treemap
from ui.words import t
from ui.workspace import state

VIEWS: dict[str, Draw] = {
    "items": items.draw,
    "prompt": prompt.draw,
    "messages": messages.draw,
    "treemap": treemap.draw,
    "layout": layout.draw,
    "diff": diff.draw,
    "findings": findings.draw,
    "growth": growth.draw,
    "ask": ask.draw,
}


def pick_view(now: str) -> str:
    """The view to draw; the pick is kept in the workspace."""
    labels = {name: t(f"view.{name}") for name in VIEWS}
    view = one_of(labels, now, label=t("view.pick"), place="view_pick", key=state.key("view"), width="content")
    state.change(view=view)
    return view
