"""Real requests and a long conversation through every system, both variants, three windows: all laws hold."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ctxcore import Scenario, build
from tests import laws
from tests.build import SHARED, WEATHER, assistant, calls, image, result, scenario, system, user, words

INPUTS = SHARED / "inputs"
FILES = [
    *sorted((INPUTS / "openai-chat").glob("*.request.json")),
    *sorted((INPUTS / "mini-swe-agent").glob("*")),
    *sorted((INPUTS / "swe-agent").glob("*")),
]
WINDOWS = (2_000, 8_000, 128_000)
RUNS = [(name, variant) for name in ("gssc", "compiler", "layered", "raw") for variant in ("repaired", "article")]


@cache
def loaded(path: Path) -> Scenario:
    return Scenario.load(path)


@cache
def long_conversation() -> Scenario:
    """200 messages: words, pictures, parallel calls, a system text in the middle, several languages."""
    messages = [system(words(12, "rule"))]
    while len(messages) < 199:
        at = len(messages)
        messages += [user(words(1 + at % 4, f"brook{at}")), assistant(words(1 + at % 3, f"lake{at}"))]
        if at % 10 == 1:
            long = words(60 if at % 20 == 1 else 2, f"gauge{at}")
            messages += [calls(f"a{at}", f"b{at}"), result(f"b{at}", "38% 在第七天 👩‍👩‍👧‍👦"), result(f"a{at}", long)]
        if at % 50 == 3:
            messages += [image(f"Picture {at}"), system(f"Note {at}: be exact.")]
    return scenario([*messages, user("How wide is brook61 number 1?")], tools=[WEATHER])


def check(source: Scenario, window: int, name: str, variant: str) -> None:
    valid = laws.is_valid(source.messages, source.tools)
    assert valid
    trace = build(source, system=name, variant=variant, window=window)
    laws.check(trace.to_json(), valid_input=valid, holds_limits=name != "layered")
    assert trace.story(str(trace.final.query)[:40]).found or not trace.final.query
    if name == "raw":
        assert trace.messages == list(source.messages)
        assert trace.tools == list(source.tools)


@pytest.mark.skipif(not FILES, reason="the real inputs are not here")
@pytest.mark.parametrize(("name", "variant"), RUNS)
@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name.split(".")[0])
def test_real_requests(file: Path, name: str, variant: str) -> None:
    for window in WINDOWS:
        check(loaded(file), window, name, variant)


@pytest.mark.parametrize(("name", "variant"), RUNS)
def test_a_conversation_of_200_messages(name: str, variant: str) -> None:
    source = long_conversation()
    assert len(source.messages) >= 200
    for window in WINDOWS:
        check(source, window, name, variant)


@pytest.mark.parametrize("name", ["gssc", "compiler", "layered"])
def test_a_long_conversation_at_every_turn(name: str) -> None:
    """The harness of article 2: the same conversation as it grows; the payload stays within its window."""
    messages = long_conversation().messages
    turns = [at for at, message in enumerate(messages, 1) if message["role"] == "user"]
    for at in turns[::12]:
        trace = build(scenario(messages[:at]), system=name, window=2_000)
        assert trace.fits
        assert trace.messages[-1] == messages[at - 1]
