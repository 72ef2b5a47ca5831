"""`python -m bench.browser [starts] [survival] [1000] [10000] [gssc …]`: all of it, or what is named; as tables."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection

from playwright.sync_api import Playwright, sync_playwright

from bench.browser.apps import EMPTY, OURS, Spread
from bench.browser.moves import SYSTEMS, TARGETS, moved
from bench.browser.starts import TARGET, starts
from bench.browser.survival import DRAWN_MS, REPAINT_MS, survivals
from bench.report import table


def main() -> None:
    named = set(sys.argv[1:])
    parts = named - set(SYSTEMS) or {"starts", "survival", *map(str, TARGETS)}
    print(f"Load average at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.\n")
    with sync_playwright() as playwright:
        _show_moves(playwright, sorted(int(part) for part in parts if part.isdecimal()), named & set(SYSTEMS))
        if "starts" in parts:
            _show_starts(playwright)
        if "survival" in parts:
            _show_survival(playwright)


def _show_moves(playwright: Playwright, sizes: list[int], systems: Collection[str]) -> None:
    if not sizes:
        return
    head = ["one step of the window", "p50", "p95", "page", "server", "sent", "× empty, p95", "target"]
    rows = []
    for one in moved(playwright, sizes, [system for system in SYSTEMS if system in (systems or SYSTEMS)]):
        rows += [[f"*empty app, in turns with {one.name}*", *_row(one.floor), "1", ""]]
        rows += [[one.name, *_row(one.costs), f"{one.ratio:.2f}", f"≤ {one.target:g}" if one.target else ""]]
    print(table(head, rows), "\n")


def _row(one: Spread) -> tuple[str, ...]:
    return (*(f"{ms:,.0f} ms" for ms in (one.p50, one.p95, one.page, one.server)), f"{one.sent / 1e3:,.1f} kB")


def _show_starts(playwright: Playwright) -> None:
    found = starts(playwright)
    least = sum(found[EMPTY])
    head = ["from nothing to the first picture", "server answers", "then drawn", "all", "× empty", "target"]
    rows = [
        [
            name,
            *(f"{one:.2f} s" for one in (*found[script], sum(found[script]))),
            f"{sum(found[script]) / least:.2f}",
            target,
        ]
        for script, name, target in ((EMPTY, "*empty app*", ""), (OURS, "ctxcore", f"≤ {TARGET:g}"))
    ]
    print(table(head, rows), "\n")


def _show_survival(playwright: Playwright) -> None:
    head = ["Tune's survival picture", "first drawn", "repaint, p95", "sent", "target"]
    target = f"≤ {DRAWN_MS:,} ms, < {REPAINT_MS} ms"
    rows = [
        [one.name, f"{one.drawn:,.0f} ms", f"{one.repaint} ms", f"{one.sent / 1e3:,.1f} kB", target]
        for one in survivals(playwright)
    ]
    print(table(head, rows))


if __name__ == "__main__":
    main()
