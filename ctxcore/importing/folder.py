"""A folder of documents: each text file is one document."""

from __future__ import annotations

from pathlib import Path

from ctxcore.errors import InputError
from ctxcore.importing.decoding import decoded
from ctxcore.scenario import Record

SUFFIXES = (".md", ".markdown", ".txt", ".rst", ".csv", ".json", ".html", ".py")
MAX_BYTES = 20_000_000  # one document larger than this is no document


def load_folder(folder: Path) -> tuple[Record, ...]:
    """Documents in the order of their paths, titled by path. Raises InputError where the folder holds none."""
    found = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix.lower() in SUFFIXES):
        if path.stat().st_size > MAX_BYTES:
            raise InputError(
                f"--docs {path}: larger than {MAX_BYTES // 1_000_000} MB; split it into smaller documents."
            )
        title = path.relative_to(folder).as_posix()
        text, _ = decoded(path.read_bytes(), title)
        if text.strip():
            found.append(Record(id="", text=text, title=title))
    if not found:
        raise InputError(f"--docs {folder}: holds no text; documents are files ending in {', '.join(SUFFIXES)}.")
    return tuple(found)
