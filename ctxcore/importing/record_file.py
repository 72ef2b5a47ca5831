"""Documents, notes, tool results, the state: between their JSON, short or full, and records."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing.plain import KINDS, Copier, kind_of
from ctxcore.scenario import Record

TEXT_NAMES = ("text", "content", "result")  # what the text of a record may be called; "text" is written


def read_records(value: Any, kind: str) -> tuple[Record, ...]:
    """`value` is a text, an object, or a list of both; `kind` is the field of the scenario."""
    if value is None:
        return ()
    values = value if isinstance(value, list | tuple) else (value,)
    return tuple(_record(item, kind, f"{kind}[{index}]") for index, item in enumerate(values))


def record_json(record: Record, kind: str) -> dict[str, Any]:
    data: dict[str, Any] = {"id": record.id, "text": record.text}
    if record.title:
        data["tool" if kind == "tool_results" else "title"] = record.title
    if record.score is not None:
        data["score"] = record.score
    if kind == "tool_results":
        data["recent"] = record.recent
    return {**data, **{name: value for name, value in record.extra.items() if name not in data}}


def read_state(value: Any) -> Record | None:
    """A text or any object; or `{"id", "value"}` as it is written."""
    if value is None or value in ("", {}, []):
        return None
    if not isinstance(value, Mapping) or "value" not in value:
        value = {"value": value}
    content = value["value"]
    ours = {"id", "value"} if isinstance(content, str) else {"id"}
    extra = {name: item for name, item in value.items() if name not in ours}
    return Record(_text(value, "id", "state"), _shown(content), extra=extra)


def state_json(state: Record) -> dict[str, Any]:
    """The object that came in, unless the text was edited since."""
    value = state.extra.get("value", state.text)
    others = {name: item for name, item in state.extra.items() if name != "value"}
    return {"id": state.id, "value": value if _shown(value) == state.text else state.text, **others}


def _record(value: Any, kind: str, where: str) -> Record:
    if isinstance(value, str):
        return Record("", value)
    if not isinstance(value, Mapping):
        raise InputError("field-text-or-object", where=where, kind=kind_of(value))
    text_name = next((name for name in TEXT_NAMES if value.get(name) is not None), None)
    if text_name is None:
        raise InputError("record-no-text", where=where, fields=list(value))
    is_result = kind == "tool_results"
    title_name = "tool" if is_result else "title"
    used = {"id", text_name, title_name, "score", *(("recent",) if is_result else ())}
    return Record(
        id=_text(value, "id", where),
        text=_shown(value[text_name]),
        title=_text(value, title_name, where),
        score=_score(value.get("score"), where),
        recent=is_result and _flag(value.get("recent"), where),
        extra={name: item for name, item in value.items() if name not in used},
    )


def _text(value: Mapping[str, Any], name: str, where: str) -> str:
    text = value.get(name)
    if text is not None and not isinstance(text, str):
        raise InputError("field-kind", where=f"{where}.{name}", kind=kind_of(text), wanted=KINDS[str])
    return text or ""


def _score(score: Any, where: str) -> float | None:
    if score is None or (isinstance(score, float) and not math.isfinite(score)):
        return None
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise InputError("field-kind", where=f"{where}.score", kind=kind_of(score), wanted=KINDS[float])
    return score


def _flag(value: Any, where: str) -> bool:
    if value is not None and not isinstance(value, bool):
        raise InputError("field-kind", where=f"{where}.recent", kind=kind_of(value), wanted=KINDS[bool])
    return value is True


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(Copier().copy(value), ensure_ascii=False)
