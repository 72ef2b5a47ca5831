"""The real server on a free port, with a database of its own; and where a Chromium is."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # as in .ci/chromium
ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 60  # seconds until the server must answer
NOTED = "noted.txt"  # where tests/noting writes
HERE = ("127.", "localhost", "::1", "0.0.0.0")


def chromium() -> str | None:
    asked = os.environ.get("CTXCORE_CHROMIUM", "")
    return next((path for name in (asked, *NAMES) if name and (path := shutil.which(name))), None)


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


def start(
    folder: Path, port: int, script: str = "server.py", extra: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Starts the server and waits until it answers. Its database and its log lie in `folder`; `extra` environment."""
    settings = {
        "CTXCORE_DATABASE_URL": f"sqlite:///{(folder / 'ctxcore.db').as_posix()}",
        "CTXCORE_CACHE": str(folder / "answers.sqlite"),
        "STREAMLIT_SERVER_FILE_WATCHER_TYPE": "none",
        "PYTHONPATH": str(ROOT / "tests" / "noting"),
        "CTXCORE_NOTED": str(folder / NOTED),
        **(extra or {}),
    }
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port)]
    with (folder / "server.log").open("ab") as log:
        server = subprocess.Popen(command, cwd=ROOT, env={**environment, **settings}, stdout=log, stderr=log)
    below = settings.get("STREAMLIT_SERVER_BASE_URL_PATH", "")
    wait_for(server, port, folder / "server.log", f"/{below}" if below else "")
    return server


def asked(folder: Path) -> set[str]:
    """Whom servers in this folder have connected to, or wanted to: host:port."""
    noted = folder / NOTED
    return set(noted.read_text().split()) if noted.exists() else set()


def wait_for(server: subprocess.Popen[bytes], port: int, log: Path, below: str = "") -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{below}/_stcore/health", timeout=2) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.1)
    stop(server)
    raise RuntimeError(f"The server did not answer on port {port}:\n{log.read_text()[-2000:]}")


def stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


@contextmanager
def running(folder: Path, script: str = "server.py", extra: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address of a server that lives as long as the block, and may ask nobody beyond this machine."""
    port = free_port()
    server = start(folder, port, script, extra)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(server)
    foreign = [one for one in asked(folder) if not one.startswith(HERE)]
    assert not foreign, f"The server asked, or wanted to: {foreign}"
