"""The ceilings of what no other stage holds: notes under their share, results that answer no call under theirs."""

from __future__ import annotations

from dataclasses import dataclass

from ctxcore.item import Item, Source
from ctxcore.payload import Editor, Payload

# What a limit holds first; of tool results the recent ones, and of these the newest.
ORDER = (Source.STATE, Source.NOTE, Source.MEMORY, Source.PROFILE, Source.TOOL)


@dataclass(frozen=True, slots=True)
class Refusal:
    item: Item
    limit: str
    left: int  # tokens of the limit when the item's turn came


def refused(payload: Payload) -> tuple[tuple[Refusal, ...], dict[str, int]]:
    """The records that their limits do not hold, and what is left of each limit: below 0 where fixed texts exceed it.

    System texts and pins take their share first and are never refused.
    """
    limit_of = {source: limit.name for limit in reversed(payload.budget.limits) for source in limit.sources}
    left = payload.budget.caps()
    free = []
    for item in payload.items:
        if item.source in limit_of and _is_fixed(item):
            left[limit_of[item.source]] -= item.tokens
        elif item.source in ORDER and not item.group and item.source in limit_of:
            free.append(item)
    out = []
    for item in sorted(free, key=_rank):
        limit = limit_of[item.source]
        if item.tokens > left[limit]:
            out.append(Refusal(item, limit, max(0, left[limit])))
        else:
            left[limit] -= item.tokens
    return tuple(out), left


def in_history(item: Item) -> bool:
    """What the history's share holds, and no ceiling here."""
    held = item.source in (*ORDER, Source.SYSTEM, Source.DOC)
    return not held or (item.source is Source.TOOL and bool(item.group))


def refused_cost(payload: Payload) -> int:
    """Tokens that the assembler will not write, framing included: other stages may use their room."""
    return sum(refusal.item.tokens + refusal.item.frame for refusal in refused(payload)[0])


def hold_ceilings(edit: Editor, payload: Payload) -> None:
    """Drop what is refused; report where the fixed texts alone are over their limit."""
    out, left = refused(payload)
    caps = payload.budget.caps()
    for one in out:
        edit.drop(one.item, "cap", limit=one.limit, left=one.left, cap=caps[one.limit])
    for limit in payload.budget.limits:
        fixed = [i.id for i in payload.items if i.source in limit.sources and _is_fixed(i)]
        if fixed and (over := -left[limit.name]) > 0:
            edit.report("over-cap", "warning", fixed, limit=limit.name, cap=caps[limit.name], over=over)


def _is_fixed(item: Item) -> bool:
    """A system text or a pin; call groups are held by who holds the conversation."""
    return not item.group and (item.pinned or item.source is Source.SYSTEM)


def _rank(item: Item) -> tuple[int, float, int]:
    """Of results the recent ones first, and of these the newest; of notes and memory what serves the question best."""
    return ORDER.index(item.source), *(
        (item.priority, -item.turn) if item.source is Source.TOOL else (-item.relevance, 0)
    )
