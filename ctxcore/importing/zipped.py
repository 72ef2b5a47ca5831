"""Zipped logs of Inspect evaluations (.eval): a header, and a file a sample. Unpacked within limits."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing.parsing import Parsed

MAX_BYTES = 200_000_000  # unpacked, of all entries that are read: a small archive may unpack to a very large one
MAX_ENTRIES = 20_000
HEADS = ("header.json", "_journal/start.json")  # the second, where the evaluation did not end
SAMPLES = "samples/"
ZIP = b"PK\x03\x04"
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)  # what reading raises


def zipped_log(data: bytes, what: str) -> Parsed | None:
    """The same value as the log's JSON form; None for what is no such archive. Raises InputError beyond the limits."""
    if not data.startswith(ZIP) or not (what.endswith(".eval") or zipfile.is_zipfile(io.BytesIO(data))):
        return None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
            head = next((name for name in HEADS if name in names), "")
            return _log(archive, head, what) if head else None
    except BROKEN as cause:
        raise InputError("zip-damaged", what=what, cause=cause) from None


def _log(archive: zipfile.ZipFile, head: str, what: str) -> Parsed:
    entries = [one for one in archive.infolist() if one.filename == head or _is_sample(one.filename)]
    size = sum(one.file_size for one in entries)
    if len(entries) > MAX_ENTRIES or size > MAX_BYTES:
        raise InputError(
            "zip-large", what=what, size=size, count=len(entries), most=MAX_BYTES, most_entries=MAX_ENTRIES
        )
    warnings: list[str] = []
    values = dict(_values(archive, entries, what, warnings))
    log = values.pop(head, None)
    log = log if isinstance(log, dict) else {}
    if lost := len(warnings):
        warnings.append(f"{what}: {len(entries) - 1:,} samples read, {len(values):,} kept, {lost:,} skipped.")
    return Parsed(({**log, "eval": log.get("eval") or {}, "samples": list(values.values())},), (), tuple(warnings))


def _is_sample(name: str) -> bool:
    return name.startswith(SAMPLES) and name.endswith(".json")


def _values(
    archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], what: str, warnings: list[str]
) -> Iterator[tuple[str, Any]]:
    """What can be read, by name; what cannot is told, and loses nothing else."""
    left = MAX_BYTES
    for entry in entries:
        try:
            with archive.open(entry) as stream:
                body = stream.read(left + 1)  # what an entry says of its size need not be so
            if len(body) > left:
                raise InputError("zip-more", what=what, most=MAX_BYTES)
            left -= len(body)
            yield entry.filename, json.loads(body)
        except (*BROKEN, ValueError, RecursionError) as cause:
            if isinstance(cause, InputError):
                raise
            warnings.append(f"{what}: {entry.filename}: skipped, it cannot be read ({cause}).")
