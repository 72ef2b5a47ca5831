"""A PostgreSQL of our own for the length of the tests: made in a folder, on a free port, thrown away afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "20"}
MISSING = "no PostgreSQL server here: install one (apt-get install postgresql)"


def binaries() -> Path | None:
    """The folder of the newest server's programs; Debian does not put them on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: int(file.parts[-3]))
    program = found[-1] if found else shutil.which("initdb")
    return Path(program).parent if program else None


@contextmanager
def cluster() -> Iterator[str]:
    """The address of an empty database."""
    programs = binaries()
    assert programs, MISSING
    folder = Path(tempfile.mkdtemp(prefix="ctxcore-pg-"))
    port = _free_port()
    if os.getuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "postgres")
    settings = {**FAST, "listen_addresses": "127.0.0.1", "port": str(port), "unix_socket_directories": str(folder)}
    try:
        _run(folder, programs / "initdb", "-D", folder / "data", "-U", "app", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        _run(folder, programs / "pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log", "-o", options, "start")
        yield f"postgresql://app@127.0.0.1:{port}/postgres"
    finally:
        _run(folder, programs / "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop", check=False)
        shutil.rmtree(folder, ignore_errors=True)


def _run(folder: Path, *command: str | Path, check: bool = True) -> None:
    another_user = ("runuser", "-u", "postgres", "--") if os.getuid() == 0 else ()
    subprocess.run([*another_user, *map(str, command)], cwd=folder, check=check, stdout=subprocess.DEVNULL)


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
