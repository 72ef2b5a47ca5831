"""Inputs made to hurt: refused in a line with the limit's name, or read in bounded time and memory."""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MEMORY = 1_500_000_000  # bytes that a call may address: libraries and threads' stacks count as well
PATIENCE = 60  # seconds


def archive(size: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", "0" * size)
    return packed.getvalue()


def image(size: int) -> bytes:
    url = "data:image/png;base64," + "A" * size
    content = [{"type": "image_url", "image_url": {"url": url}}]
    return json.dumps([{"role": "user", "content": content}]).encode()


REFUSED: dict[str, tuple[bytes, str]] = {
    "deep.json": (b"[" * 200_000 + b"]" * 200_000, "nested too deeply"),
    "deeper.json": (b'{"messages":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001, "nested too deeply"),
    "nul.txt": (b"abc\0def\0" * 1_000, "NUL characters"),
    "bomb.eval": (archive(250_000_000), "200,000,000 bytes"),
}
READ: dict[str, Callable[[], bytes]] = {
    "line.txt": lambda: b"a" * 10_000_000,
    "number.json": lambda: b'[{"role":"user","content":' + b"9" * 100_000 + b"}]",
    "image.json": lambda: image(8_000_000),
    "half.json": lambda: b'[{"role":"user","content":"\\ud800 lone"}]',
    "escape.json": lambda: json.dumps([{"role": "user", "content": "\x1b[31mred\x1b]0;title\x07\x9b31m"}]).encode(),
    "turned.json": lambda: json.dumps([{"role": "user", "content": "\u202eevil\u202c\u200b\u200d\ufeff"}]).encode(),
}


def called(file: Path, *more: str) -> subprocess.CompletedProcess[str]:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    call = [sys.executable, "-m", "ctxcore", "run", str(file), *more]
    return subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, preexec_fn=limited)


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_in_a_line_that_names_the_limit(name, tmp_path):
    content, limit = REFUSED[name]
    (tmp_path / name).write_bytes(content)
    done = called(tmp_path / name)
    assert (done.returncode, done.stdout) == (2, "")
    assert limit in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", READ)
def test_it_is_read_within_bounds_and_no_terminal_obeys_it(name, tmp_path):
    (tmp_path / name).write_bytes(READ[name]())
    done = called(tmp_path / name)
    assert done.returncode in (0, 3)
    assert "Traceback" not in done.stderr
    assert not set("\x1b\x07\x9b\u202e") & set(done.stdout + done.stderr)
