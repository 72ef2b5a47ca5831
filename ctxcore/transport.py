"""One exchange with an OpenAI-compatible API, through the `openai` package: JSON objects out, ModelError on failure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from threading import Event
from typing import Any
from urllib.parse import urlsplit

from ctxcore.draft import events, whole
from ctxcore.faults import model_error
from ctxcore.replies import ModelError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
NO_KEY = "none"  # the client insists on one


@dataclass(frozen=True, eq=False)
class Transport:
    base_url: str
    api_key: str | None = field(repr=False)
    timeout: float  # seconds of silence

    @cached_property
    def _client(self) -> Any:
        """Everything is named: what is not, the client would take from the environment, a key for others included."""
        import openai

        if self.api_key and not (self.api_key.isascii() and self.api_key.isprintable() and " " not in self.api_key):
            raise ModelError("key", "was not asked: the key holds characters that no key has")
        is_here = urlsplit(self.base_url).hostname in LOOPBACK
        return openai.OpenAI(
            api_key=self.api_key or NO_KEY,
            base_url=self.base_url,
            timeout=self.timeout,
            max_retries=0,
            http_client=openai.DefaultHttpxClient(trust_env=not is_here),  # no proxy leads to this machine
        )

    def events(self, asked: Mapping[str, Any], gone: Event) -> Iterator[Mapping[str, Any]]:
        """What /chat/completions answers: one object, or those of its stream. Ends early once `gone` is set."""
        try:
            with self._client.chat.completions.with_streaming_response.create(**asked) as response:
                pieces = takewhile(lambda _: not gone.is_set(), response.iter_bytes())
                if asked.get("stream") and "json" not in response.headers.get("content-type", ""):
                    yield from events(pieces)
                else:  # there are endpoints that do not stream
                    yield whole(b"".join(pieces))
        except ModelError:
            raise
        except Exception as cause:  # all that is no failure of the call is raised again
            raise model_error(cause, self.api_key, self.timeout) from None

    def post(self, url: str, body: Mapping[str, Any], gone: Event) -> Iterator[Any]:
        """The JSON that another route of the server answers."""
        try:
            yield self._client.post(url, body=dict(body), cast_to=object)
        except ModelError:
            raise
        except ValueError:
            raise ModelError("malformed", "answered no JSON") from None
        except Exception as cause:
            raise model_error(cause, self.api_key, self.timeout) from None
