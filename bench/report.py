"""The tables of one run, as Markdown, and whether the targets hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bench.cost import Costs
from bench.memory import Memory
from bench.ours import NO_TOKENIZER, SETUPS, SUMMARIZE, TRUNCATE
from bench.quality import Quality
from bench.scaling import Scaling

KINDS = ("again", "first", "LangChain", "article")
SHARE, MEMORY, DOUBLING, FILL = 0.15, 1.2, 2.2, 0.97  # targets


def cost_table(sizes: Sequence[Costs]) -> str:
    """Times the floor. What was not measured to its end has a `~`."""
    rows = list(dict.fromkeys(row for size in sizes for row in size.ratios))
    rows.sort(key=lambda row: KINDS.index(row.split(":")[0].split(" ")[0]))
    header = ["CPU time, × the floor", *(f"{size.messages:,} messages" for size in sizes)]
    passes = (f"{size.floor * 1e3:,.0f} ms, {size.tokens / 1e6:.2g} M tokens" for size in sizes)
    floor = ["**floor: one pass of tiktoken**", *passes]
    return table(header, [floor, *([row, *(_ratio(size, row) for size in sizes)] for row in rows)])


def _ratio(size: Costs, row: str) -> str:
    if row not in size.ratios:
        return "–"
    value = size.ratios[row]
    digits = f"{value:,.0f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"
    return ("~" if row in size.estimated else "") + digits


def quality_table(found: Iterable[Quality]) -> str:
    header = ["100 windows, 1k … 64k", "over the room", "orphans", "fill, median", "fill, worst beside small parts"]
    rows = ([q.name, str(q.over), str(q.orphaned), f"{q.fill:.1%}", f"{q.small_fill:.1%}"] for q in found)
    return table(header, rows)


def memory_table(found: dict[str, Memory]) -> str:
    header = ["memory, 10,000 messages", "snapshots", "one of them", "ratio", "ledger beside it"]
    return table(
        header,
        (
            [f"{name}, {m.stages} stages", _mb(m.snapshots), _mb(m.one), f"{m.ratio:.2f}", _mb(m.ledger)]
            for name, m in found.items()
        ),
    )


def scaling_table(found: Sequence[Scaling]) -> str:
    header = ["twice the messages, CPU ms", *(f"{size:,}" for size in found[0].seconds), "worst doubling"]
    rows = ([s.setup, *(f"{taken * 1e3:,.1f}" for taken in s.seconds.values()), f"{s.worst:.2f}"] for s in found)
    return table(header, rows)


def _mb(size: int) -> str:
    return f"{size / 1e6:.2f} MB"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table whose columns line up in a terminal as well."""
    cells = [list(header), *map(list, rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(header))]
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in cells)
    lines = [f"| {' | '.join(row)} |" for row in padded]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def targets(
    sizes: Sequence[Costs], memories: dict[str, Memory], scalings: Sequence[Scaling], found: Sequence[Quality]
) -> Iterator[tuple[str, str, bool]]:
    """What was aimed at, what was measured, and whether it holds."""
    at = next(size for size in sizes if size.messages == 10_000)
    for setup in SETUPS:
        share = at.ratios[f"again: {setup}"]
        yield f"re-build at a new budget, {setup}: ≤ {SHARE:.0%} of a pass", f"{share:.1%}", share <= SHARE
    for setup in NO_TOKENIZER:
        runs = at.tokenizer_runs[setup]
        yield f"tokenizer runs in a re-build, {setup}: 0", str(runs), runs == 0
    for name, kept in memories.items():
        yield f"snapshots ≤ {MEMORY} × one, {name}", f"{kept.ratio:.2f}", kept.ratio <= MEMORY
    for scaling in scalings:
        worst = scaling.worst
        yield f"twice the messages ≤ {DOUBLING} × the cost, {scaling.setup}", f"{worst:.2f}", worst <= DOUBLING
    for quality in (q for q in found if q.name in (TRUNCATE, SUMMARIZE)):
        yield f"never over the room, {quality.name}", str(quality.over), quality.over == 0
        yield f"nothing orphaned, {quality.name}", str(quality.orphaned), quality.orphaned == 0
        fill = quality.small_fill
        yield f"room ≥ {FILL:.0%} full beside small parts, {quality.name}", f"{fill:.1%}", fill >= FILL
