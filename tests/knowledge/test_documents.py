"""Documents of every kind become text that can be cut and searched, or an error that says what to do."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest

from ctxcore.errors import InputError
from ctxcore.importing import documents
from ctxcore.importing.documents import read_document
from ctxcore.importing.folder import read_folder
from tests.build import pdf

PARAGRAPH = "<w:p>{style}<w:r><w:t>{text}</w:t></w:r></w:p>"
HEADING = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'


def word(*paragraphs: str) -> bytes:
    """The smallest Word file that there is: the first paragraph is a heading."""
    body = "".join(PARAGRAPH.format(style="" if at else HEADING, text=text) for at, text in enumerate(paragraphs))
    names = "http://schemas.openxmlformats.org"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{names}/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
        'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument'
        '.wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{names}/package/2006/relationships"><Relationship Id="r1" '
        f'Type="{names}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{names}/wordprocessingml/2006/main"><w:body>{body}</w:body>'
        "</w:document>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' + text)
    return out.getvalue()


def read(data: bytes | str, name: str) -> str:
    return read_document(data.encode() if isinstance(data, str) else data, name)[0]


def test_html_keeps_headings_tables_and_code_and_loses_scripts():
    page = (
        "<html><head><title>x</title><script>alert(1)</script></head><body><nav>Home</nav><h2>Limits</h2>"
        "<p>Four <b>of</b> them.</p><pre><code>a = 1\n\nb = 2</code></pre>"
        "<table><tr><th>name</th><th>price</th></tr><tr><td>tea</td><td>3</td></tr></table></body></html>"
    )
    text = read(page, "page.html")
    assert "## Limits" in text
    assert "```\na = 1\n\nb = 2\n```" in text
    assert "| tea | 3 |" in text
    assert not re.search("alert|Home", text)


def test_word_keeps_headings():
    assert (
        read(word("Refunds", "Within 30 days. 退款需三十天内。"), "a.docx")
        == "# Refunds\n\nWithin 30 days. 退款需三十天内。\n"
    )


def test_pdf_is_read_page_by_page_and_empty_pages_are_said():
    text, warnings = read_document(pdf("The river is 400 metres wide.", "", "Page three."), "r.pdf")
    assert text == "The river is 400 metres wide.\n\nPage three."
    assert warnings == ["r.pdf: 1 of 3 pages hold no text, perhaps scans; they are left out."]


def test_a_row_of_a_table_can_be_understood_alone():
    assert read("name;price\ntea;3\n\ncoffee;4;extra\n", "p.csv") == (
        "- name: tea · price: 3\n- name: coffee · price: 4 · column 3: extra\n"
    )


@pytest.mark.parametrize(
    ("data", "name", "says"),
    [
        (b"%PDF-1.4 nothing", "a.pdf", "no PDF"),
        (pdf(""), "scan.pdf", "OCR"),
        (b"no zip", "a.docx", "no Word document"),
        (word("x")[:300], "cut.docx", "cut.docx"),
        (b"\x89PNG\r\n", "a.md", "PNG image"),
        (b"  \n", "empty.txt", "empty"),
        ("<div>" * 5_000 + "deep", "deep.html", "deep.html"),
        ("x" * 30, "large.txt", "larger than"),
    ],
)
def test_what_cannot_be_read_is_named_with_the_remedy(data, name, says, monkeypatch):
    if "large" in name:
        monkeypatch.setattr(documents, "MAX_BYTES", 20)
    with pytest.raises(InputError, match=says) as told:
        read(data, name)
    assert name in str(told.value)
    assert "\n" not in str(told.value)


def test_a_small_archive_that_unpacks_to_a_large_one_is_refused_unread():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * (10 * documents.MAX_BYTES + 1))
    with pytest.raises(InputError, match="unpacks to 200 MB"):
        read(out.getvalue(), "bomb.docx")


def test_a_folder_gives_what_can_be_read_and_says_what_cannot(tmp_path: Path):
    (tmp_path / "sub").mkdir()
    (tmp_path / ".git").mkdir()
    for name, data in {"b.md": b"Two.", "sub/a.docx": word("One"), "bad.pdf": b"%PDF", ".git/c.md": b"no"}.items():
        (tmp_path / name).write_bytes(data)
    records, problems = read_folder(tmp_path)
    assert [record.title for record in records] == ["b.md", "sub/a.docx"]
    assert len(problems) == 1
    assert "bad.pdf" in problems[0]
