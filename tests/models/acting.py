"""A server on a loopback port that does what it is told: answer, fail, stream, keep silent, cut the connection."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = Callable[[BaseHTTPRequestHandler], None]


class Server(ThreadingHTTPServer):
    """Does one act after the other, a request each; the last one for good. Keeps what it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.acts: list[Act] = []
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.closing = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no fault of the server's."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.bodies.append(json.loads(sent))
        self.server.keys.append(self.headers.get("Authorization"))
        acts = self.server.acts
        (acts.pop(0) if len(acts) > 1 else acts[0])(self)

    def log_message(self, *_: object) -> None: ...


def answer(body: Any, status: int = 200, kind: str = "application/json", **headers: str) -> Act:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()

    def act(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        sizes = {"Content-Type": kind, "Content-Length": str(len(content))}
        for name, value in {**sizes, **{name.replace("_", "-"): value for name, value in headers.items()}}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(content)

    return act


def fails(status: int, message: str = "", **fields: Any) -> Act:
    return answer({"error": {"message": message, **fields}}, status)


def delta(finish: str | None = None, **body: Any) -> bytes:
    return b"data: " + json.dumps({"choices": [{"delta": body, "finish_reason": finish}]}).encode() + b"\n\n"


def stream(*pieces: bytes, pause: float = 0.0, whole: bool = True) -> Act:
    """In chunks; not `whole`: the connection is cut before the last chunk."""

    def act(request: BaseHTTPRequestHandler) -> None:
        request.protocol_version = "HTTP/1.1"
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.send_header("Transfer-Encoding", "chunked")
        request.end_headers()
        for piece in pieces:
            request.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            request.wfile.flush()
            request.server.closing.wait(pause)
        if whole:
            request.wfile.write(b"0\r\n\r\n")
        request.close_connection = True

    return act


def silent(seconds: float) -> Act:
    return lambda request: request.server.closing.wait(seconds) and None


def cut(request: BaseHTTPRequestHandler) -> None:
    request.connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def serving() -> Iterator[Server]:
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.closing.set()
        server.shutdown()
