"""A folder of documents: each file of a known kind is one document."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ctxcore.errors import InputError
from ctxcore.importing.documents import MAX_BYTES, SUFFIXES, read_document
from ctxcore.importing.rows import rows_of
from ctxcore.scenario import Record

MAX_FILES = 5_000
SKIPPED = ("node_modules", "__pycache__", "venv")  # and every folder that begins with a dot


def read_folder(folder: Path) -> tuple[tuple[Record, ...], tuple[str, ...]]:
    """Documents, and what could not be read of the folder. Raises InputError where there is nothing to read."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and _is_document(path, folder))
    if not paths:
        raise InputError("docs-none", folder=folder, suffixes=SUFFIXES)
    if len(paths) > MAX_FILES:
        raise InputError("docs-many", folder=folder, count=len(paths), most=MAX_FILES)
    return read_files((path.relative_to(folder).as_posix(), _bytes(path)) for path in paths)


def read_files(files: Iterable[tuple[str, bytes]]) -> tuple[tuple[Record, ...], tuple[str, ...]]:
    """The documents among named files, and a line for each that could not be read or not whole."""
    records: list[Record] = []
    problems: list[str] = []
    for name, data in files:
        if not data.strip():
            continue
        try:
            text, warnings = read_document(data, name)
        except InputError as error:
            problems.append(error.told)
        else:
            problems += warnings
            records += rows_of(text, name) or (Record(id="", text=text, title=name),)
    return tuple(records), tuple(problems)


def _is_document(path: Path, folder: Path) -> bool:
    inside = path.relative_to(folder).parts
    return path.is_file() and not any(part.startswith(".") or part in SKIPPED for part in inside)


def _bytes(path: Path) -> bytes:
    """One byte more than can be read is enough to refuse it."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError("docs-unreadable", path=path, reason=error.strerror or error) from None
