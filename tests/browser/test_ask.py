"""A real model asked from the app: the reply, its bill, Stop, summaries that cost a click, and where no key may lie."""

from __future__ import annotations

import json
import re
import select
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ctxcore.model.endpoint import Endpoint
from tests.browser.server import running
from tests.browser.visit import Visitor, visiting

KEY = "sk-typed-4f1e8c20d7"
SMALL = "/?scenario=retention-analysis&view=ask"  # some 250 tokens


class Relay(ThreadingHTTPServer):
    """Stands before the model and notes what is asked of it: path and key."""

    daemon_threads = True

    def __init__(self, behind: str) -> None:
        super().__init__(("127.0.0.1", 0), Passing)
        self.behind = urlsplit(behind)
        self.asked: list[tuple[str, str | None]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def replies(self) -> int:
        """Calls that cost something: the template and the tokenizer of the server do not."""
        return sum(path.endswith("/chat/completions") for path, _ in self.asked)

    def handle_error(self, request: object, client_address: object) -> None:
        """Who pressed Stop has gone."""


class Passing(BaseHTTPRequestHandler):
    server: Relay

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, self.headers.get("Authorization")))
        head = f"POST {self.path} HTTP/1.1\r\nHost: model\r\nContent-Type: application/json\r\nConnection: close\r\n"
        with socket.create_connection((self.server.behind.hostname, self.server.behind.port)) as model:
            model.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            self._pass_on(model)
        self.close_connection = True

    def _pass_on(self, model: socket.socket) -> None:
        """Until one of the two has gone; so the model learns at once that nobody waits."""
        while self.connection not in (ready := select.select([model, self.connection], [], [])[0]):
            piece = model.recv(65_536) if ready else b""
            if not piece:
                return
            self.connection.sendall(piece)

    def log_message(self, *_: object) -> None: ...


@dataclass
class App:
    address: str
    relay: Relay
    folder: Path

    @property
    def kept(self) -> bytes:
        """Everything that the server has written: database and log."""
        return b"".join(file.read_bytes() for file in self.folder.iterdir())


@pytest.fixture(scope="module")
def app(browser, local_model: Endpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    folder = tmp_path_factory.mktemp("asking")
    with Relay(local_model.base_url) as relay:
        threading.Thread(target=relay.serve_forever, args=(0.05,), daemon=True).start()
        extra = {"OPENAI_BASE_URL": relay.address, "CTXCORE_MODEL": local_model.name}
        with running(folder, extra=extra) as address:
            yield App(address, relay, folder)
        relay.shutdown()


@pytest.fixture
def visitor(browser, app: App) -> Iterator[Visitor]:
    with visiting(browser, app.address) as visitor:
        yield visitor
        visitor.check_sound()


def open_small(visitor: Visitor) -> None:
    """With room for a reply of a line or two: left to itself the model goes on for a thousand tokens."""
    visitor.open(SMALL)
    room = visitor.thing("budget_reserve").get_by_role("spinbutton")
    room.fill("40")
    room.press("Enter")
    visitor.settle()


def ask(visitor: Visitor) -> None:
    visitor.thing("ask_button").get_by_role("button").click()


def answered(visitor: Visitor) -> tuple[str, str]:
    """The reply, as soon as it is whole, and the line below it."""
    visitor.thing("ask_reply").wait_for()
    found = re.match(r"(.*?)\s+([\d.]+ s · [^\n]*)", visitor.settle().thing("ask_reply").inner_text(), re.DOTALL)
    return found[1], found[2]


def set_up(visitor: Visitor, url: str, key: str, name: str) -> None:
    visitor.thing("model_setup").get_by_role("button").first.click()
    for label, text in (("Base URL", url), ("Key", key), ("Model", name)):
        visitor.page.get_by_role("textbox", name=label, exact=True).fill(text)
    visitor.page.get_by_role("button", name="Use it").click()
    visitor.settle()


def test_the_reply_its_bill_and_the_conversation_that_goes_on(visitor, app):
    open_small(visitor)
    before = app.relay.replies
    ask(visitor)
    reply, bill = answered(visitor)
    assert "difference +0" in bill
    assert re.search(r"prompt \d+ tokens billed, \d+ predicted \(exact\)", bill)
    assert app.relay.replies == before + 1
    visitor.click("ask_continue")
    assert visitor.thing("ask_reply").count() == 0
    visitor.thing("view_pick").get_by_role("radio", name="Messages").click()
    visitor.settle()
    assert json.dumps(reply[:20], ensure_ascii=False)[1:-1] in visitor.thing("view_messages").inner_text()
    assert app.relay.replies == before + 1


def test_stop_ends_a_reply_and_keeps_what_came(visitor):
    visitor.open(SMALL)
    ask(visitor)
    stop = visitor.thing("ask_stop").get_by_role("button")
    stop.wait_for()
    visitor.page.get_by_text("Waiting for the first word").wait_for(state="detached")
    stop.click()
    reply, bill = answered(visitor)
    assert 0 < len(reply) < 400
    assert "difference –" in bill
    assert stop.count() == 0
    assert visitor.thing("ask_button").get_by_role("button").is_enabled()


def test_summaries_by_a_model_cost_a_click_and_nothing_before(visitor, app):
    visitor.open("/?scenario=coding-agent&system=gssc&window=1200&stage=summarize")
    before = app.relay.replies
    visitor.thing("summaries").get_by_role("switch").or_(visitor.thing("summaries").locator("label")).first.click()
    visitor.settle()
    spend = visitor.page.get_by_role("button", name=re.compile("Call the model"))
    assert "call" in spend.inner_text()
    visitor.reload()
    visitor.thing("summaries").locator("label").first.click()
    visitor.settle()
    assert app.relay.replies == before
    spend.click()
    spend.wait_for(state="detached", timeout=45_000)
    visitor.settle()
    assert app.relay.replies > before
    assert "smollm2-135m" in visitor.thing("problems").inner_text()
    paid = app.relay.replies
    visitor.thing("view_pick").get_by_role("radio", name="Prompt").click()
    visitor.settle()
    assert app.relay.replies == paid


def test_a_dead_endpoint_is_told_calmly_and_a_typed_key_stays_in_memory(visitor, app):
    open_small(visitor)
    set_up(visitor, "http://127.0.0.1:9", KEY, "gpt-4o-mini")
    assert "gpt-4o-mini at 127.0.0.1:9" in visitor.thing("view_ask").inner_text()
    ask(visitor)
    told = visitor.thing("view_ask").get_by_role("alert")
    told.wait_for()
    assert "127.0.0.1:9" in told.inner_text()
    assert "Check the address" in told.inner_text()
    visitor.settle()
    set_up(visitor, app.relay.address, KEY, "smollm2-135m")
    ask(visitor)
    assert "difference +0" in answered(visitor)[1]
    assert app.relay.asked[-1] == ("/v1/chat/completions", f"Bearer {KEY}")
    assert KEY not in visitor.page.content()
    assert KEY.encode() not in app.kept
    with_it = visitor.page.url
    visitor.reload()
    assert KEY not in with_it
    assert app.relay.address.removeprefix("http://").removesuffix("/v1") in visitor.thing("view_ask").inner_text()


def test_the_agents_task_is_given_to_the_model_and_stopped(visitor, app):
    visitor.open("/agent")
    visitor.thing("agent_who").get_by_role("radio", name="the model at hand").click()
    visitor.settle()
    before = app.relay.replies
    visitor.thing("agent_run").get_by_role("button").first.click()
    visitor.thing("agent_running").wait_for()
    visitor.thing("agent_step").wait_for()  # the first step has come, the second is on its way
    visitor.thing("agent_stop").get_by_role("button").click()
    visitor.thing("agent_running").wait_for(state="detached")
    visitor.settle()
    assert before < app.relay.replies <= before + 3
    assert "no: stopped" in visitor.thing("agent_metrics").inner_text()
    visitor.thing("agent_pick").get_by_role("radio", name="1", exact=True).click()
    visitor.settle()
    assert visitor.page.get_by_text("difference +0").count() == 1
