"""`run --report FILE`: the run as one HTML page, such as an artifact of a build in CI."""

from __future__ import annotations

from pathlib import Path

from ctxcore.errors import InputError
from ctxcore.trace import Trace


def write_report(trace: Trace, path: str, lang: str) -> None:
    """Raises InputError where the file cannot be written."""
    from ctxcore.reporting.report import report

    try:
        Path(path).write_text(report(trace, lang), encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError("unwritable", path=path, reason=error.strerror) from error
