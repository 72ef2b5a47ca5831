"""Deployments as docs/deployment.md tells them: servers on one PostgreSQL, a sub-path, log-in by OpenID Connect."""

from __future__ import annotations

import signal
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.server import free_port, running, start, stop
from tests.browser.visit import visiting
from tests.oidc import CLIENT, NAME, SECRET, provider

pytestmark = pytest.mark.deep
WAIT = 20_000  # ms


def test_of_two_servers_on_one_database_one_is_killed_and_the_other_goes_on(browser, database, tmp_path):
    shared = {"CTXCORE_DATABASE_URL": database, "STREAMLIT_SERVER_COOKIE_SECRET": "the same for all"}
    ports, servers = [free_port(), free_port()], []
    try:
        for port in ports:
            (tmp_path / str(port)).mkdir()
            servers.append(start(tmp_path / str(port), port, extra=shared))
        with visiting(browser, f"http://127.0.0.1:{ports[0]}") as visitor:
            visitor.open("/sources?scenario=support-chat")
            visitor.type_into("sources_user_message", "Which hamper is it?")
            servers[0].send_signal(signal.SIGKILL)
            visitor.address = f"http://127.0.0.1:{ports[1]}"
            visitor.open("/sources")  # the balancer's next choice; cookies do not know ports
            text = visitor.thing("sources_user_message").get_by_role("textbox")
            expect(text).to_have_value("Which hamper is it?", timeout=WAIT)
            visitor.type_into("sources_user_message", "And when does it come?")
            visitor.reload()
            expect(text).to_have_value("And when does it come?", timeout=WAIT)
    finally:
        for server in servers:
            stop(server)


def test_the_app_works_below_a_path_of_its_own(browser, tmp_path):
    with (
        running(tmp_path, extra={"STREAMLIT_SERVER_BASE_URL_PATH": "tools/ctx"}) as address,
        visiting(browser, f"{address}/tools/ctx") as visitor,
    ):
        visitor.open("/library")
        expect(visitor.thing("library_empty")).to_be_visible(timeout=WAIT)
        visitor.open("/?scenario=support-chat&view=treemap")
        expect(visitor.thing("view_treemap").locator("canvas.base")).to_be_visible(timeout=WAIT)
        visitor.click("frame_share")
        visitor.click("share_link")
        link = visitor.thing("share_link").locator("code")
        expect(link).to_contain_text("/tools/ctx?state=")


def test_who_is_not_logged_in_sees_nothing_and_who_is_finds_his_work_on_another_device(browser, tmp_path):
    port = free_port()
    with provider() as issuer:
        secrets = tmp_path / "secrets.toml"
        secrets.write_text(
            f'[auth]\nredirect_uri = "http://127.0.0.1:{port}/oauth2callback"\ncookie_secret = "{"x" * 40}"\n'
            f'client_id = "{CLIENT}"\nclient_secret = "{SECRET}"\n'
            f'server_metadata_url = "{issuer}/.well-known/openid-configuration"\n'
        )
        assert tomllib.loads(secrets.read_text())
        server = start(tmp_path, port, extra={"STREAMLIT_SECRETS_FILES": str(secrets)})
        try:
            for device, question in enumerate(("Which hamper is it?", "And when?")):
                with visiting(browser, f"http://127.0.0.1:{port}") as visitor:
                    visitor._check = lambda url: None
                    visitor.open("/sources")
                    expect(visitor.thing("login")).to_be_visible(timeout=WAIT)
                    assert visitor.thing("sources_user_message").count() == 0
                    visitor.thing("login").get_by_role("button").click()
                    expect(visitor.thing("logout")).to_contain_text(NAME, timeout=WAIT)
                    visitor.open("/sources" if device else "/sources?scenario=support-chat")
                    text = visitor.thing("sources_user_message").get_by_role("textbox")
                    if device:
                        expect(text).to_have_value("Which hamper is it?", timeout=WAIT)
                    visitor.type_into("sources_user_message", question)
        finally:
            stop(server)
        assert SECRET not in (tmp_path / "server.log").read_text()
        assert Path(secrets).exists()
