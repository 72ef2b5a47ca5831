"""An identity provider on this machine: whoever comes is Ann. As much of OpenID Connect as a log-in takes."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "ctxcore", "not-a-secret"
NAME = "Ann of the tests"


@contextmanager
def provider() -> Iterator[str]:
    """Its address."""
    key, nonces = RSAKey.generate_key(2048, {"kid": "1", "use": "sig", "alg": "RS256"}), dict[str, str]()

    class Answer(BaseHTTPRequestHandler):
        def log_message(self, *args: Any) -> None: ...

        def say(self, data: object) -> None:
            body = json.dumps(data).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            place, asked = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
            if place == "/authorize":
                nonces["code"] = asked["nonce"][0]
                answer = urlencode({"code": "code", "state": asked["state"][0]})
                self.send_response(302)
                self.send_header("location", f"{asked['redirect_uri'][0]}?{answer}")
                self.end_headers()
            elif place == "/keys":
                self.say({"keys": [key.as_dict(private=False)]})
            else:
                ends = {name: f"{address}/{name}" for name in ("authorize", "token", "keys")}
                self.say(
                    {
                        "issuer": address,
                        "authorization_endpoint": ends["authorize"],
                        "token_endpoint": ends["token"],
                        "jwks_uri": ends["keys"],
                        "response_types_supported": ["code"],
                        "subject_types_supported": ["public"],
                        "id_token_signing_alg_values_supported": ["RS256"],
                    }
                )

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            now = int(time.time())
            claims = {"iss": address, "sub": "ann", "aud": CLIENT, "iat": now, "exp": now + 600, "name": NAME}
            token = jwt.encode({"alg": "RS256", "kid": "1"}, {**claims, "nonce": nonces["code"]}, key)
            self.say({"access_token": "x", "token_type": "Bearer", "expires_in": 600, "id_token": token})

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield address
    finally:
        server.shutdown()
