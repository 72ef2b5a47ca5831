"""JSON with the same facts in fewer characters: no nulls, records as columns and rows, constant columns once."""

from __future__ import annotations

from itertools import islice
from typing import Any

from ctxcore.compressing.json_text import dump

FEWEST = 3  # records of a table
SPARSEST = 0.6  # share of the cells of a table that must hold something
DEEPEST = 4  # levels of objects in a record that become columns of their own
GAP = "[…]"


def shaped(value: Any) -> Any:
    """Still JSON. What was null is left out; all else is there, letter by letter."""
    if isinstance(value, dict):
        return {key: shaped(one) for key, one in value.items() if one is not None}
    if not isinstance(value, list):
        return value
    inner = [shaped(one) for one in value]
    table = _table(inner) or _nested(inner)
    return table if table is not None and len(dump(table)) < len(dump(inner)) else inner


def _table(records: list[Any]) -> dict[str, Any] | None:
    """`same`: what all rows have alike; None where the records are not alike. A gap at the end stays there."""
    open_end = records[-1:] == [GAP]
    rows = [_flat(one) for one in (records[:-1] if open_end else records) if isinstance(one, dict)]
    if len(rows) < FEWEST or len(rows) + open_end < len(records):
        return None
    columns = list(dict.fromkeys(name for row in rows for name in row))
    if not columns or sum(map(len, rows)) < SPARSEST * len(rows) * len(columns):
        return None
    same = {name: rows[0][name] for name in columns if _is_constant(rows, name)}
    varying = [name for name in columns if name not in same]
    if not varying:
        return {"same": same, "times": len(rows)}
    cells: list[Any] = [[row.get(name) for name in varying] for row in rows]
    if open_end:
        cells.append(GAP)
    return {**({"same": same} if same else {}), "columns": varying, "rows": cells}


def _nested(lists: list[Any]) -> dict[str, Any] | None:
    """Lists of records under one head: their rows stay lists of rows."""
    if not all(isinstance(one, list) and one and isinstance(one[0], dict) for one in lists):
        return None
    table = _table([record for one in lists for record in one])
    if table is None or "rows" not in table:
        return None
    rows = iter(table["rows"])
    return table | {"rows": [list(islice(rows, len(one))) for one in lists]}


def _is_constant(rows: list[dict[str, Any]], name: str) -> bool:
    first = dump(rows[0].get(name))
    return all(name in row and dump(row[name]) == first for row in rows)


def _flat(record: dict[str, Any], path: str = "", depth: int = 0) -> dict[str, Any]:
    """Objects in it as columns `outer.inner`; not where a key has a dot itself, or an object is empty."""
    out: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict) and value and depth < DEEPEST and not any("." in name for name in (key, *value)):
            out |= _flat(value, f"{path}{key}.", depth + 1)
        else:
            out[path + key] = value
    return out
