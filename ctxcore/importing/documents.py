"""A document of any common format as text: Markdown keeps its headings, tables and code blocks."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import PurePath

from ctxcore.errors import InputError
from ctxcore.importing.decoding import check_text, decoded

MAX_BYTES = 20_000_000  # one document larger than this is no document
MAX_CHARACTERS = 20_000_000  # of its text: a small archive may unpack to a very large one
MAX_PAGES = 2_000  # of a PDF
TEXT = (".md", ".markdown", ".txt", ".rst", ".json", ".jsonl", ".yaml", ".yml", ".toml", ".xml", ".log", ".tex")
CODE = (
    ".py", ".js", ".ts", ".tsx", ".jsx", ".java", ".go", ".rs", ".c", ".h", ".cpp", ".hpp", ".cs", ".rb", ".php",
    ".swift",     ".kt", ".scala", ".sh", ".sql", ".r", ".lua", ".css", ".vue",
)  # fmt: skip


def read_document(data: bytes, name: str) -> tuple[str, list[str]]:
    """The text and warnings. `name` is the file's: its suffix says how to read it; others are read as plain text.

    Raises InputError that names the file and the remedy.
    """
    if len(data) > MAX_BYTES:
        raise InputError("document-large", name=name, most=MAX_BYTES // 1_000_000)
    reader = READERS.get(PurePath(name).suffix.lower(), decoded)
    try:
        text, warnings = reader(data, name)
    except InputError:
        raise
    except RecursionError:
        raise InputError("document-deep", name=name) from None
    except Exception as cause:  # what a damaged file makes a foreign parser raise, nobody can list
        raise InputError("document-damaged", name=name, kind=type(cause).__name__) from cause
    if len(text) > MAX_CHARACTERS:
        raise InputError("document-long", name=name, characters=len(text))
    check_text(text, name)
    return text, warnings


def _html(data: bytes, name: str) -> tuple[str, list[str]]:
    text, warnings = decoded(data, name)
    return _markdown(text), warnings


def _markdown(html: str) -> str:
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    page = BeautifulSoup(html, "html.parser")
    for tag in page(["script", "style", "noscript", "template", "svg", "head", "nav", "iframe"]):
        tag.decompose()
    return str(MarkdownConverter(heading_style="ATX", bullets="-", strip=["img"]).convert_soup(page)).strip() + "\n"


def _word(data: bytes, name: str) -> tuple[str, list[str]]:
    import zipfile

    import mammoth

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile:
        raise InputError("no-word", name=name) from None
    if unpacked > 10 * MAX_BYTES:
        raise InputError("unpacks-large", name=name, size=unpacked // 1_000_000)
    return _markdown(mammoth.convert_to_html(io.BytesIO(data), convert_image=_no_image).value), []


def _no_image(image: object) -> list[object]:
    return []


def _pdf(data: bytes, name: str) -> tuple[str, list[str]]:
    """Page by page; what a page holds as a picture is lost, and said."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError("pdf-locked", name=name)
        if len(reader.pages) > MAX_PAGES:
            raise InputError("pdf-pages", name=name, pages=len(reader.pages), most=MAX_PAGES)
        pages = [page.extract_text() or "" for page in reader.pages]
    except PyPdfError as cause:
        raise InputError("no-pdf", name=name, cause=cause) from cause
    empty = sum(not page.strip() for page in pages)
    if empty == len(pages):
        raise InputError("pdf-scans", name=name)
    lost = [f"{name}: {empty} of {len(pages)} pages hold no text, perhaps scans; they are left out."] if empty else []
    return "\n\n".join(page for page in pages if page.strip()), lost


def _table(data: bytes, name: str) -> tuple[str, list[str]]:
    """One line a row, each value with the name of its column, so that a row can be understood alone."""
    text, warnings = decoded(data, name)
    first = text.strip().partition("\n")[0]
    csv.field_size_limit(MAX_BYTES)
    table = csv.reader(io.StringIO(text), delimiter=max(",;\t|", key=first.count))
    rows = [row for row in table if any(cell.strip() for cell in row)]
    if len(rows) < 2:
        return text, warnings
    head = [cell.strip() or f"column {at}" for at, cell in enumerate(rows[0], 1)]
    lines = [
        "- " + " · ".join(f"{_column(head, at)}: {cell.strip()}" for at, cell in enumerate(row)) for row in rows[1:]
    ]
    return "\n".join(line.replace("\n", " ") for line in lines) + "\n", warnings


def _column(head: list[str], at: int) -> str:
    return head[at] if at < len(head) else f"column {at + 1}"


READERS: dict[str, Callable[[bytes, str], tuple[str, list[str]]]] = {
    ".pdf": _pdf,
    ".docx": _word,
    ".html": _html,
    ".htm": _html,
    ".csv": _table,
    ".tsv": _table,
}
SUFFIXES = (*TEXT, *CODE, *READERS)
