"""Where an endpoint may lie: what a visitor types cannot make a server ask its own network."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcore.model.endpoint import Endpoint
from ctxcore.model.reach import Reach
from ctxcore.model.replies import ModelError
from tests.models.acting import Server, answer
from ui.settings import visitors

SAID = answer({"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}})
ASKED = [{"role": "user", "content": "?"}]
OUTSIDE = Reach(private=False)


def endpoint(server: Server, reach: Reach, host: str = "127.0.0.1") -> Endpoint:
    return Endpoint("m", f"http://{host}:{server.server_port}/v1", timeout=5, retries=2, reach=reach)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0", "127.1", "2130706433"])
def test_what_lies_in_the_servers_own_network_gets_nothing(server, host):
    server.acts = [SAID]
    with pytest.raises(ModelError) as told:
        endpoint(server, OUTSIDE, host).reply(ASKED)
    assert told.value.kind in ("forbidden", "connection")  # some resolvers know no such name
    assert server.bodies == []
    assert endpoint(server, Reach()).reply(ASKED).text == "yes"


ADDRESSES = {
    "10.0.0.1": False,
    "172.16.3.4": False,
    "192.168.1.1": False,
    "169.254.169.254": False,
    "100.64.0.1": False,
    "224.0.0.1": False,
    "::1": False,
    "fe80::1%eth0": False,
    "fd00::1": False,
    "::ffff:10.0.0.1": False,
    "64:ff9b::a00:1": False,
    "8.8.8.8": True,
    "2606:4700::1111": True,
}


@pytest.mark.parametrize("address", [address for address, is_public in ADDRESSES.items() if not is_public])
def test_an_address_of_ones_own_network_is_refused(address):
    with pytest.raises(ModelError, match="network of its own") as told:
        OUTSIDE.check_address(address)
    assert told.value.kind == "forbidden"


@pytest.mark.parametrize("address", [address for address, is_public in ADDRESSES.items() if is_public])
def test_an_address_of_the_world_is_not(address):
    OUTSIDE.check_address(address)


def test_only_named_hosts_and_no_redirect_leads_past_them(server):
    named = Reach(("127.0.0.1", "*.example.com"))
    server.acts = [SAID]
    assert endpoint(server, named).reply(ASKED).text == "yes"
    with pytest.raises(ModelError, match="may be asked here"):
        endpoint(server, named, "localhost").reply(ASKED)
    server.acts = [answer(b"", 307, Location=f"http://localhost:{server.server_port}/v1/chat/completions"), SAID]
    before = len(server.bodies)
    with pytest.raises(ModelError, match="may be asked here"):
        endpoint(server, named).reply(ASKED)
    assert len(server.bodies) == before + 1


def test_a_name_that_answers_otherwise_when_it_counts_gets_nothing():
    class Stream:
        def get_extra_info(self, name: str) -> Any:
            return ("10.1.2.3", 443) if name == "server_addr" else None

    with pytest.raises(ModelError, match=r"10\.1\.2\.3"):
        OUTSIDE.check_stream(Stream())
    Reach().check_stream(Stream())


@pytest.mark.parametrize(
    ("asked", "bound", "reach", "typed"),
    [
        ("", "127.0.0.1", Reach(), True),
        ("", "0.0.0.0", Reach(private=False), True),
        ("any", "0.0.0.0", Reach(), True),
        ("api.openai.com, *.example.com", "0.0.0.0", Reach(("api.openai.com", "*.example.com")), True),
        ("none", "127.0.0.1", Reach(("none",)), False),
    ],
)
def test_who_runs_the_server_decides(asked, bound, reach, typed, monkeypatch):
    monkeypatch.setenv("CTXCORE_ENDPOINTS", asked)
    monkeypatch.setattr("streamlit.get_option", {"server.address": bound}.get)
    assert (visitors.reach(), visitors.may_type()) == (reach, typed)
