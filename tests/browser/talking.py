"""A visitor without a browser: says over the WebSocket what a browser says, and keeps what it would draw."""

from __future__ import annotations

import json
import re
import time
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPMessage
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection as Connection
from websockets.sync.client import connect

PATIENCE = 60  # seconds that a run may take
EARLY = ForwardMsg.FINISHED_EARLY_FOR_RERUN
GENERATION = re.compile(r"^[0-9]+[a-z]*:")  # as ui/workspace/state.py puts it before a key
BOUNDARY = "--------ctxcore"


class Talker:
    """`drawn` is what the last run drew, `heard` what came for it."""

    def __init__(self, address: str, cookies: dict[str, str] | None = None) -> None:
        self.address, self.cookies = address, {**_cookies(address), **(cookies or {})}
        self.drawn: list[ForwardMsg] = []
        self.heard: list[bytes] = []
        self._known: dict[str, bytes] = {}  # messages that the server may name by their hash
        self._states: dict[str, WidgetState] = {}
        self._place, self._script, self._session = urlsplit("/"), "", ""
        self._socket = self._connected()

    def _connected(self) -> Connection:
        place = f"{self.address.replace('http', 'ws', 1)}/_stcore/stream"
        return connect(
            place,
            legacy=True,
            subprotocols=["streamlit"],  # type: ignore[list-item]
            additional_headers={"Cookie": self._said},
            max_size=None,
            proxy=None,
        )

    @property
    def _said(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def close(self) -> None:
        self._socket.close()

    def open(self, path: str = "/") -> Talker:
        """A page by its address, as in a new tab."""
        self._socket.close()
        self._known.clear()
        self._socket = self._connected()
        return self.go(path)

    def go(self, path: str) -> Talker:
        """A page by the menu: the visit goes on, widgets begin anew."""
        self._place, self._script = urlsplit(path), ""
        self._states.clear()
        return self.run()

    def put(self, key: str, value: Any) -> Talker:
        """What a hand does to the widget whose own key begins so; then a run. Of options, the first that begins so."""
        identity, kind, element = self.widget(key)
        pressed = WidgetState(id=identity)
        match kind, value:
            case ("slider", int() | float()):
                pressed.double_array_value.data[:] = [value]
            case ("button_group", str()):
                labels = [option.content for option in element.options]
                pressed.string_array_value.data[:] = [next(one for one in labels if one.startswith(value))]
            case ("slider" | "multiselect", str()):
                pressed.string_array_value.data[:] = [value]
            case ("button" | "download_button", _):
                pressed.trigger_value = bool(value)
            case ("checkbox" | "popover", _):
                pressed.bool_value = bool(value)
            case ("number_input", _):
                pressed.double_value = value
            case ("file_uploader", (str(), bytes())):
                self._upload(pressed, *value)
            case _:
                pressed.string_value = str(value)
        self._states[identity] = pressed
        self.run()
        if kind in ("button", "download_button"):
            del self._states[identity]
        return self

    def run(self) -> Talker:
        said = BackMsg()
        state = said.rerun_script
        state.query_string, state.page_name = self._place.query, self._place.path.strip("/")
        state.page_script_hash = self._script
        state.cached_message_hashes.extend(self._known)
        info = state.context_info
        info.locale, info.timezone, info.url = "en-US", "UTC", self.address + self._place.path
        state.widget_states.widgets.extend(self._states.values())
        self._socket.send(said.SerializeToString())
        self._listen()
        return self

    def until(self, key: str) -> Talker:
        """Runs again until that widget is there: what a job was started for."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with suppress(LookupError):
                self.widget(key)
                return self
            time.sleep(0.2)
            self.run()
        raise TimeoutError(f"{key} did not come.")

    def widget(self, key: str) -> tuple[str, str, Any]:
        """Identity, kind and element of the first widget whose own key begins so, whichever generation it is of."""
        for kind, element in self.elements():
            identity = str(getattr(element, "id", ""))
            if identity.startswith("$$ID-") and GENERATION.sub("", identity.split("-", 2)[2]).startswith(key):
                return identity, kind, element
        raise LookupError(f"No widget {key} is drawn.")

    def elements(self) -> Iterator[tuple[str, Any]]:
        """Kind and content of what is drawn; popovers and the like among them."""
        for message in self.drawn:
            if message.WhichOneof("type") == "delta":
                found = message.delta.new_element if message.delta.HasField("new_element") else message.delta.add_block
                if kind := found.WhichOneof("type"):
                    yield kind, getattr(found, kind)

    def download(self, key: str) -> bytes:
        """The file behind the button whose own key begins so."""
        _, _, button = self.widget(key)
        place = self._made(button.deferred_file_id) if button.deferred_file_id else button.url
        asked = urllib.request.Request(self.address + place, headers={"Cookie": self._said})
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            return bytes(answer.read())

    def _made(self, file: str) -> str:
        """Where a file lies that is made when it is asked for."""
        asked = BackMsg()
        request = asked.backend_operation_request
        request.request_id, request.session_id = uuid.uuid4().hex, self._session
        request.deferred_file.file_id = file
        self._socket.send(asked.SerializeToString())
        answer = self._answer("backend_operation_response")
        assert not answer.error_msg, answer.error_msg
        return str(answer.deferred_file.url)

    def _answer(self, kind: str) -> Any:
        while True:
            message = ForwardMsg.FromString(self._socket.recv(PATIENCE))  # type: ignore[arg-type]
            if message.WhichOneof("type") == kind:
                return getattr(message, kind)

    def _listen(self) -> None:
        self.drawn, self.heard = [], []
        while True:
            raw = self._socket.recv(PATIENCE)
            assert isinstance(raw, bytes)
            self.heard.append(raw)
            message = ForwardMsg.FromString(raw)
            kind = message.WhichOneof("type")
            if kind == "ref_hash":
                message = ForwardMsg.FromString(self._known[message.ref_hash])
            elif message.metadata.cacheable and message.hash:
                self._known[message.hash] = raw
            if kind == "new_session":
                self.drawn = []  # a run begins, or begins anew
                self._session = message.new_session.initialize.session_id
            elif kind == "navigation":
                self._script = message.navigation.page_script_hash
            elif kind == "page_info_changed":
                self._place = self._place._replace(query=message.page_info_changed.query_string)
            elif kind == "script_finished":
                if message.script_finished != EARLY:
                    return
            else:
                self.drawn.append(message)

    def _upload(self, state: WidgetState, name: str, data: bytes) -> None:
        asked = BackMsg()
        asked.file_urls_request.request_id = uuid.uuid4().hex
        asked.file_urls_request.file_names[:] = [name]
        asked.file_urls_request.session_id = self._session
        self._socket.send(asked.SerializeToString())
        given = self._answer("file_urls_response").file_urls[0]
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n'
        body = (
            f"{head}Content-Type: application/octet-stream\r\n\r\n".encode() + data + f"\r\n--{BOUNDARY}--\r\n".encode()
        )
        headers = {
            "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
            "Cookie": self._said,
            "X-Xsrftoken": self.cookies["_streamlit_xsrf"],
        }
        place = f"{self.address}{given.upload_url}"
        with urllib.request.urlopen(urllib.request.Request(place, body, headers, method="PUT"), timeout=PATIENCE):
            info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = given.file_id, name, len(data)
        info.file_urls.CopyFrom(given)


@contextmanager
def talking(address: str, cookies: dict[str, str] | None = None) -> Iterator[Talker]:
    talker = Talker(address, cookies)
    try:
        yield talker
    finally:
        talker.close()


def texts(message: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a message, with the name of its field: `button.label`. Data of drawn components by their text."""
    for field, value in message.ListFields():
        name = f"{message.DESCRIPTOR.name}.{field.name}"
        if field.message_type is not None:
            if field.message_type.GetOptions().map_entry:
                yield from ((name, str(one)) for pair in value.items() for one in pair)
            else:
                for one in value if field.is_repeated else (value,):
                    yield from texts(one, name)
        elif field.type == field.TYPE_STRING:
            yield from ((name, one) for one in (value if field.is_repeated else (value,)))
        elif field.type == field.TYPE_BYTES:
            yield from ((name, one.decode("utf-8", "replace")) for one in (value if field.is_repeated else (value,)))


def _cookies(address: str) -> dict[str, str]:
    """Those that a page and the health check give: whose one is, and the word for uploads."""
    found: dict[str, str] = {}
    for path in ("/", "/_stcore/health"):
        with urllib.request.urlopen(address + path, timeout=PATIENCE) as answer:
            headers: HTTPMessage = answer.headers
            for line in headers.get_all("Set-Cookie") or ():
                found |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
    return found


def data_of(element: Any) -> Any:
    """What a drawn component was given."""
    return json.loads(element.json)
