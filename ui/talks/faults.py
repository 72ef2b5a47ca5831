"""A fault of an article's code as a talk: what it does, and the same sources repaired."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from ctxcore.build import build
from ctxcore.comparing.demos import DEMOS
from ctxcore.comparing.demos.demo import Demo
from ctxcore.trace import Trace
from ui.talks.screen import Screen, Talk
from ui.words import number, t

MOST = 6  # items of the notes


def fault(name: str, lang: str) -> Talk:
    demo = DEMOS[name]
    first, second = (partial(_run, name, side) for side in ("first", "second"))
    before, after = _screen(demo, first, "before", lang), _screen(demo, second, "after", lang)
    return Talk(demo.title(lang), (before, replace(after, notes=_changes(first(), second()))))


def _screen(demo: Demo, run: Callable[[], Trace], side: str, lang: str) -> Screen:
    trace = run()
    facts = {"tokens": number(trace.totals.total), "room": number(trace.budget.room)}
    fits = t("fault.fits" if trace.fits else "fault.over", **facts)
    title = t(f"fault.{side}", variant=_variant(demo, side))
    return Screen(title, f"{demo.see(lang)} {fits}", "", "treemap", "", run)


def _variant(demo: Demo, side: str) -> str:
    given: Mapping[str, Any] = demo.first if side == "before" else demo.second
    return ", ".join(f"{name} {value}" for name, value in given.items() if isinstance(value, str | int))


def _changes(before: Trace, after: Trace) -> str:
    """Which items fare otherwise on the second screen."""
    old, new = ({item.id for item in one.final.items} for one in (before, after))
    rows = [t("fault.enters", items=", ".join(sorted(new - old)[:MOST]))] if new - old else []
    rows += [t("fault.leaves", items=", ".join(sorted(old - new)[:MOST]))] if old - new else []
    return "\n".join(rows)


@cache
def _run(name: str, side: str) -> Trace:
    demo = DEMOS[name]
    return build(demo.sources(), **{**demo.both, **getattr(demo, side)})
