"""One exchange with an OpenAI-compatible API, through the `openai` package: JSON objects out, ModelError on failure."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import takewhile
from typing import Any
from urllib.parse import urlsplit

from ctxcore.model.draft import events, whole
from ctxcore.model.faults import model_error
from ctxcore.model.reach import ANYWHERE, Reach
from ctxcore.model.replies import ModelError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
NO_KEY = "none"  # the client insists on one
POST_SECONDS = 5.0


class Transport:
    """Making one takes a while, for the package's import: that is no part of anybody's time-out."""

    def __init__(self, base_url: str, api_key: str | None, timeout: float, reach: Reach = ANYWHERE) -> None:
        """`timeout`: seconds of silence. Raises ModelError for a key that cannot be one."""
        if api_key and not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
            raise ModelError("key", "model-key")
        import openai

        is_here = urlsplit(base_url).hostname in LOOPBACK
        self.here = threading.local()  # .exchange: the one that this thread makes
        self.api_key, self.timeout, self.reach = api_key, timeout, reach
        # Everything is named: what is not, the client takes from the environment, a key meant for others included.
        self.client: Any = openai.OpenAI(
            api_key=api_key or NO_KEY,
            base_url=base_url,
            timeout=timeout,
            max_retries=0,
            default_headers={"Connection": "close"},  # one connection an exchange, so that it can be cut
            http_client=openai.DefaultHttpxClient(
                trust_env=reach.is_free and not is_here,  # no proxy leads to this machine, nor past what is allowed
                event_hooks={"request": [self._watch]},
            ),
        )

    def post(self, url: str, body: Mapping[str, Any]) -> Any:
        """The JSON that another route of the server answers, within a few seconds."""
        try:
            return self.client.with_options(timeout=POST_SECONDS).post(url, body=dict(body), cast_to=object)
        except ValueError:
            raise ModelError("malformed", "model-no-json") from None
        except Exception as cause:  # what is no failure of the call is raised again
            raise model_error(cause, self.api_key, POST_SECONDS) from None

    def _watch(self, request: Any) -> None:
        self.reach.check(request.url.host, request.url.port)
        exchange: Exchange | None = getattr(self.here, "exchange", None)
        request.extensions["trace"] = partial(self._saw, exchange)

    def _saw(self, exchange: Exchange | None, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith("connect_tcp.complete"):
            self.reach.check_stream(info["return_value"])
        if exchange is not None:
            exchange.saw(event, info)


class Exchange:
    """A request for a reply, and what is answered. A Source: its items are the JSON objects of the answer.

    `route`: "chat" or "embeddings".
    """

    def __init__(self, transport: Transport, asked: Mapping[str, Any], route: str = "chat") -> None:
        self._transport, self._asked, self._route = transport, asked, route
        self._left = threading.Event()
        self._socket: socket.socket | None = None

    def items(self) -> Iterator[Mapping[str, Any]]:
        self._transport.here.exchange = self
        try:
            client = self._transport.client
            route = client.embeddings if self._route == "embeddings" else client.chat.completions
            with route.with_streaming_response.create(**self._asked) as response:
                pieces = takewhile(lambda _: not self._left.is_set(), response.iter_bytes())
                kind = response.headers.get("content-type", "")
                if self._asked.get("stream") and "json" not in kind and "html" not in kind:
                    yield from events(pieces)
                else:  # there are endpoints that do not stream, and pages where an endpoint should be
                    yield whole(b"".join(pieces))
        except ModelError:
            raise
        except Exception as cause:  # what is no failure of the call is raised again
            raise model_error(cause, self._transport.api_key, self._transport.timeout) from None

    def leave(self) -> None:
        """Cuts the connection: a server that sees it go stops its work, and the thread that waits wakes up."""
        self._left.set()
        if self._socket is not None:
            try:
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)  # past TLS, which another thread is using
            except OSError:
                self._socket = None  # it has ended by itself

    def saw(self, event: str, info: Mapping[str, Any]) -> None:
        """Told by the client's transport of each step that it takes."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._left.is_set():
                self.leave()
