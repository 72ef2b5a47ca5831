"""Who may import whom: app → pages → ui → ctxcore. And importing ctxcore costs nothing that it does not need."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"app", "server", "pages", "ui", "ctxcore", "tests"}
MAY_IMPORT = {
    "ctxcore": {"ctxcore"},
    "ui": {"ui", "ctxcore"},
    "pages": {"ui", "ctxcore"},
    "app": {"ui"},
    "server": {"ui"},
}
NOT_IN_CORE = {"streamlit", "plotly", "pandas"}
HEAVY = ("tiktoken", "numpy", "openai", "bm25s", "streamlit", "plotly", "pandas", "sqlalchemy")


def modules(layer: str) -> Iterator[Path]:
    single = ROOT / f"{layer}.py"
    yield from [single] if single.exists() else sorted((ROOT / layer).rglob("*.py"))


def imported(file: Path) -> set[str]:
    """First parts of the names of all imports, those inside functions too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add((node.module or "").partition(".")[0])
    return found


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_imports_go_one_way(layer):
    wrong = {str(file.relative_to(ROOT)): imported(file) & OURS - MAY_IMPORT[layer] for file in modules(layer)}
    assert {file: names for file, names in wrong.items() if names} == {}


def test_the_core_draws_nothing():
    wrong = {str(file.relative_to(ROOT)): imported(file) & NOT_IN_CORE for file in modules("ctxcore")}
    assert {file: names for file, names in wrong.items() if names} == {}


def test_no_file_lies_directly_in_pages():
    """With one there, Streamlit opens a deep link of a fresh server without app.py."""
    assert [entry.name for entry in (ROOT / "pages").iterdir() if entry.is_file()] == []


def test_importing_the_core_loads_nothing_heavy():
    code = f"import sys, ctxcore; print([name for name in {HEAVY!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("layer", ["ctxcore", "ui", "pages"])
def test_no_module_grows_beyond_what_one_reads_at_a_sitting(layer):
    long = {str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines()) for file in modules(layer)}
    assert {file: lines for file, lines in long.items() if lines > 200} == {}
