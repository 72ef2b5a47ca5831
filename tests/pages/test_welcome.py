"""The first minute: somebody who comes for the first time is told what there is to do; nobody else is."""

from __future__ import annotations

from tests.pages.test_pages import opened, said

PAGE = "pages/debug/playground.py"


def is_welcomed(at) -> bool:
    return any(button.key == "welcome.close" for button in at.button)


def test_who_is_here_for_the_first_time_is_told_once():
    at = opened(PAGE)
    assert is_welcomed(at)
    assert said(at) == []
    at.button(key="welcome.close").click().run()
    assert not is_welcomed(at)
    assert not is_welcomed(at.run())


def test_who_follows_a_link_or_has_worked_here_is_not():
    assert not is_welcomed(opened(PAGE, scenario="support-chat"))
    at = opened(PAGE)
    at.button(key="quick.8000").click().run()
    assert is_welcomed(at)  # it does not vanish under the reader
    assert not is_welcomed(opened(PAGE))
