"""What the articles' code loses on the way to its messages: a role and a text are all that they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ctxcore.item import Item, Source, Text
from ctxcore.message import Message, render
from ctxcore.payload import Editor


def lose_all_but_text(edit: Editor, items: Iterable[Item]) -> None:
    """Media are lost, and calls; a message that held only calls says `None`, as Python prints it."""
    count = edit.payload.counter.count
    for item in items:
        if item.is_media:
            edit.drop(item, "article-not-text", source=str(item.source))
        elif item.calls:
            texts = tuple(part for part in item.parts if isinstance(part, Text)) or (Text("None"),)
            said = Text("\n".join(part.text for part in texts))
            edit.reshape(item, (said,), count(said.text), "article-calls-lost", calls=len(item.calls))


def lose_all_but_first(edit: Editor, items: Sequence[Item], *kinds: tuple[Source, ...]) -> None:
    """Of each kind, only the first item is written."""
    for sources in kinds:
        found = [item for item in items if item.source in sources]
        for item in found[1:]:
            edit.drop(item, "article-first-only", source=str(item.source))


def plain(items: Iterable[Item]) -> tuple[Message, ...]:
    """One message an item, of role and text alone."""
    return tuple(Message(item.role, (item,), joined=True) for item in items)


def pop_first(
    edit: Editor, items: Sequence[Item], layout: Callable[[Sequence[Item]], tuple[Message, ...]]
) -> tuple[Item, ...]:
    """Article 2's safety net: while the printed list of messages is over the window, the message at index 1 goes.

    The article prints and counts the whole list again for each message it pops. The count falls with each, so the
    same number of pops is found by halving. It gives up at two messages, over the window or not.
    """
    messages, window = layout(items), edit.payload.budget.window

    def printed(pops: int) -> int:
        return edit.payload.counter.count(str([render(m) for m in (*messages[:1], *messages[1 + pops :])]))

    low, high = 0, max(0, len(messages) - 2)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if printed(middle) <= window else (middle + 1, high)
    popped = {item.id for message in messages[1 : 1 + low] for item in message.items}
    if low:
        edit.drop(
            [item for item in items if item.id in popped], "article-safety-net", estimate=printed(0), window=window
        )
    if printed(low) > window:
        edit.report("article-net-gave-up", "warning", estimate=printed(low), window=window)
    return tuple(item for item in items if item.id not in popped)
