"""The changes that may bring a text back, or take it out: one move for each limit, option and mark that matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ctxcore.build import stages_for
from ctxcore.decision import Action
from ctxcore.explaining.budget_moves import Move, limit_move, reserve_move, window_move, with_pair
from ctxcore.explaining.why import ItemStory, Story
from ctxcore.item import Item
from ctxcore.pins import is_meant
from ctxcore.settings import Settings
from ctxcore.stage import Option, options_of
from ctxcore.trace import Trace

FEW = 40  # an option of at most so much is a number of things, not of tokens or characters
STEPS = 60  # so many values of it are tried
LOSSES = (Action.DROPPED, Action.COMPRESSED, Action.TRUNCATED)
FAULTS = frozenset(("whole_groups", "hold_room", "safety_net", "text_only", "first_only", "measure"))  # articles' own
COMPRESS_FIRST = ("gather", "summarize", "select", "construct")


def back(trace: Trace, story: Story) -> Iterator[Move]:
    """Moves that may bring the text back, those that cost nothing else first."""
    lost = [one for one in story.stories if one.end != "payload"]
    own = _limits_of(trace, lost)
    yield from (limit_move(trace, name, up=True) for name in own)
    yield from _options(trace, lost)
    yield from (_priority(trace, one.item) for one in lost[:2])
    yield reserve_move(trace, range(trace.budget.reserve - 1, -1, -1))
    yield window_move(trace, range(trace.budget.window + 1, _enough(trace)))
    yield from (limit_move(trace, use.name, up=False) for use in trace.limits if use.name not in own and use.used)
    yield from _compress_first(trace)
    yield _pin(trace, story)


def away(trace: Trace, story: Story) -> Iterator[Move]:
    """Moves that may take the text out of the payload, where it is."""
    kept = [one for one in story.stories if one.end == "payload"]
    names = [name for one in kept for name in (one.item, story.text)]
    if set(names) & set(trace.settings.pins):
        pins = tuple(pin for pin in trace.settings.pins if pin not in names)
        yield _mark(trace, "unpin", replace(trace.settings, pins=pins), ())
    yield from (limit_move(trace, name, up=False) for name in _limits_of(trace, kept))
    yield reserve_move(trace, range(trace.budget.reserve + 1, trace.budget.window))
    yield window_move(trace, range(trace.budget.window - 1, trace.smallest_window - 1, -1))
    for one in kept[:1]:
        yield _mark(
            trace,
            "mute",
            replace(trace.settings, mutes=(*trace.settings.mutes, one.item)),
            ("--mute", one.item),
            item=one.item,
        )


def _limits_of(trace: Trace, stories: Sequence[ItemStory]) -> list[str]:
    """The limits that bound the items, and those that their source counts to."""
    known = {limit.name: limit for limit in trace.budget.limits}
    items = {item.id: item for item in trace.inputs}
    found: dict[str, None] = {}
    for one in stories:
        told = [str(event.decision.facts.get("limit", "")) for event in reversed(one.events)]
        found.update(dict.fromkeys(name for name in told if name in known))
        source = items[one.item].source if one.item in items else None
        found.update(dict.fromkeys(name for name, limit in known.items() if source in limit.sources))
    return list(found)


def _options(trace: Trace, stories: Sequence[ItemStory]) -> Iterator[Move]:
    """Each option of the stages that let the items go: switched over, another choice, or a few steps up or down."""
    at_fault = {event.stage for one in stories for event in one.events if event.decision.action in LOSSES}
    for stage in stages_for(trace.settings, trace.system):
        if stage.name in at_fault:
            for option in (one for one in options_of(stage) if one.name not in FAULTS):
                yield from _option(trace, stage.name, option)


def _option(trace: Trace, stage: str, option: Option) -> Iterator[Move]:
    path, now = f"{stage}.{option.name}", option.value

    def move(values: Sequence[Any]) -> Move:
        return Move(
            "option",
            range(len(values)),
            lambda k: replace(trace.settings, options=with_pair(trace.settings.options, path, str(values[k]))),
            lambda k: ("--set", f"{path}={values[k]}"),
            lambda k: {"option": path, "to": str(values[k]), "now": str(now)},
        )

    if option.type is bool:
        yield move([str(not now).lower()])
    elif option.choices:
        yield from (move([choice]) for choice in option.choices if choice != now)
    elif option.type is int and 0 < now <= FEW:  # type: ignore[operator]
        yield move(range(int(now) + 1, int(now) + STEPS))
        yield move(range(int(now) - 1, -1, -1))
    elif option.type is float and 0 < now <= 1:  # type: ignore[operator]
        hundredths = round(100 * float(now))
        yield move([at / 100 for at in range(hundredths - 1, -1, -1)])
        yield move([at / 100 for at in range(hundredths + 1, 101)])


def _priority(trace: Trace, key: str) -> Move:
    """1 is the first to stay."""
    now = next((item.priority for item in trace.inputs if item.id == key), 1)
    return Move(
        "priority",
        range(now - 1, 0, -1),
        lambda k: replace(trace.settings, priorities=(*trace.settings.priorities, (key, k))),
        lambda k: ("--priority", f"{key}={k}"),
        lambda k: {"item": key, "priority": k, "now": now},
    )


def _compress_first(trace: Trace) -> Iterator[Move]:
    """Article 1 chooses before it compresses; the other way round, what is long is short when it is chosen."""
    if trace.system.name != "gssc" or trace.settings.stages is not None:
        return
    options = with_pair(trace.settings.options, "summarize.trigger", "always")
    argv = ("--stages", ",".join(COMPRESS_FIRST), "--set", "summarize.trigger=always")
    yield _mark(trace, "order", replace(trace.settings, stages=COMPRESS_FIRST, options=options), argv)


def _pin(trace: Trace, story: Story) -> Move:
    """By the text, where an item holds it to the letter; by id where only spaces or letter case differ."""
    items = {item.id: item for item in trace.inputs}
    held = [items[one.item] for one in story.stories if one.item in items]
    name = story.text if not held or is_named(held, story.text) else held[0].id
    return _mark(
        trace, "pin", replace(trace.settings, pins=(*trace.settings.pins, name)), ("--pin", name), text=story.text
    )


def is_named(items: Sequence[Item], name: str) -> bool:
    return any(is_meant(item, (name,)) for item in items)


def _mark(trace: Trace, rule: str, settings: Settings, argv: tuple[str, ...], **facts: Any) -> Move:
    """A change that is made or not."""
    return Move(rule, (0,), lambda k: settings, lambda k: argv, lambda k: facts)


def _enough(trace: Trace) -> int:
    """A window that holds everything the scenario has, several times over."""
    everything = sum(item.tokens for item in trace.inputs)
    return max(64 * (everything + trace.floor + trace.budget.reserve + 1000), 2 * trace.budget.window, 256_000)
