"""What is shared: a link to a thing of the library opens what the library would; an agent's step is in the address."""

from __future__ import annotations

import os

import pytest

from tests.pages.test_library import filled
from tests.pages.test_pages import opened, said
from ui.library.kinds import KINDS, view_of
from ui.store import KeptStore
from ui.workspace import link
from ui.workspace.workspace import Workspace

AGENT = "pages/debug/agent.py"


def test_a_link_to_a_thing_opens_what_the_library_opens():
    store = KeptStore(os.environ["CTXCORE_DATABASE_URL"])
    things = {thing.kind: thing for thing in filled(store)}
    store.close()
    views = {kind: view_of(thing, Workspace()) for kind, thing in things.items()}
    assert {kind for kind, view in views.items() if view is None} == {"prompt", "knowledge"}
    assert views["scenario"].revision == views["run"].revision == things["scenario"].body["revision"]
    assert views["budget"].window == 5_000
    assert views["pipeline"].stages == ("gather", "select", "construct")
    assert link.read(link.write(views["budget"]))[0]["limits"] == {"docs": "10%"}  # small enough for the link alone
    assert KINDS.keys() - views.keys() == {"curve"}


@pytest.mark.parametrize(("asked", "least", "most"), [("3", 3, 3), ("99", 4, 30), ("-1", 1, 1), ("x", 1, 1)])
def test_a_step_of_an_agent_is_in_the_address(asked, least, most):
    at = opened(AGENT, run="managed", step=asked, tokens="4000")
    assert said(at) == []
    which, step = at.session_state["_agent_picked"]
    assert least <= step <= most
    assert (which, at.session_state["agent.window"]) == ("managed", 4_000)
    there = {name: at.query_params[name] for name in ("run", "step", "tokens")}
    assert there == {"run": which, "step": str(step), "tokens": "4000"}
