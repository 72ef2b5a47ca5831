"""a12: a picture, a sound or a file that does not fit is told in words, where its part brings some."""

from __future__ import annotations

import base64
import io
import json
import wave

import pytest

from ctxcore.counting.media import read_media
from ctxcore.errors import BudgetError
from ctxcore.settings import Settings
from ctxcore.tuning.survival import survival
from tests import laws
from tests.build import PIXEL, Message, built, ids, rules, scenario, stage, user

CAPTION = "A hamper with a broken candle."


def shown(detail: str = "high", **more: str) -> Message:
    part = {"type": "image_url", "image_url": {"url": PIXEL, "detail": detail}} | more
    return {"role": "user", "content": [{"type": "text", "text": "See this."}, part, {"type": "text", "text": "Well?"}]}


def sound(seconds: int, **more: str) -> Message:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((1, 1, 8_000, 0, "NONE", ""))
        file.writeframes(bytes(8_000 * seconds))
    data = base64.b64encode(out.getvalue()).decode()
    return {
        "role": "user",
        "content": [{"type": "input_audio", "input_audio": {"data": data, "format": "wav"}, **more}],
    }


@pytest.mark.parametrize("window", [60, 120])
def test_a12_a_picture_that_does_not_fit_is_told_by_its_caption_in_its_place(window: int) -> None:
    trace = built([shown(caption=CAPTION), user("What is broken?")], window=window, reserve=0)
    assert rules(trace, "summarize", "turn-0001/image-1") == ["told-in-words"]
    assert [part["text"] for part in trace.messages[0]["content"]] == ["See this.", f"[image] {CAPTION}", "Well?"]
    decision = next(d for d in stage(trace, "summarize").decisions if d.item == "turn-0001/image-1")
    assert decision.before == 255
    assert decision.after < 20
    laws.check(trace.to_json(), valid_input=True)


def test_a12_a_sound_by_its_transcript() -> None:
    trace = built([sound(30, transcript="The candle broke."), user("Well?")], window=60, reserve=0)
    assert trace.messages[0]["content"] == [{"type": "text", "text": "[audio] The candle broke."}]
    laws.check(trace.to_json(), valid_input=True)


def test_a12_without_words_it_goes() -> None:
    trace = built([shown(), user("What is broken?")], window=60, reserve=0)
    assert "turn-0001/image-1" not in ids(trace)
    laws.check(trace.to_json(), valid_input=True)


def test_a12_what_fits_stays_a_picture() -> None:
    trace = built([shown(caption=CAPTION), user("What is broken?")], window=8_000)
    assert trace.messages[0]["content"][1]["type"] == "image_url"
    assert trace.totals.images == 255


def test_a12_a_caption_is_guarded_too() -> None:
    private = "A letter to ann@example.com about the candle."
    options = {"guardrail.enabled": "on"}
    for window in (80, 8_000):
        trace = built([shown(caption=private), user("Well?")], window=window, reserve=0, options=options)
        assert "ann@example.com" not in json.dumps(trace.to_json())
        laws.check(trace.to_json(), valid_input=True)


def test_a12_the_length_of_an_mp3_is_read_and_not_guessed() -> None:
    frame = b"\xff\xfb\x90\x00" + bytes(413)  # 128 kbit/s, 44.1 kHz: 26 ms
    data = base64.b64encode(frame * 200).decode()
    media = read_media({"type": "input_audio", "input_audio": {"data": data, "format": "mp3"}})
    assert media.seconds == pytest.approx(5.22, abs=0.1)


MANAGED = ("gssc", "compiler", "layered")


@pytest.mark.parametrize("system", MANAGED)
def test_a12_each_system_tells_it_in_words_in_its_place_and_only_where_it_does_not_fit(system: str) -> None:
    messages = [shown(caption=CAPTION), user("What is broken?")]
    small = built(messages, system=system, window=200, reserve=0)
    assert [part["text"] for part in small.messages[0]["content"]] == ["See this.", f"[image] {CAPTION}", "Well?"]
    told = [d for s in small.snapshots for d in s.decisions if d.rule == "told-in-words"]
    assert [(d.item, d.before) for d in told] == [("turn-0001/image-1", 255)]
    laws.check(small.to_json(), valid_input=True)
    large = built(messages, system=system, window=8_000)
    assert large.messages[0] == messages[0]


@pytest.mark.parametrize("overflow", ["summarize", "truncate", "prioritize"])
def test_a12_the_oldest_pictures_are_told_first_and_a_summary_says_their_captions(overflow: str) -> None:
    messages = [*(shown(caption=f"Photo {n}: {CAPTION}") for n in range(8)), user("What is broken?")]
    options = {"conversation-compactor.overflow": overflow}
    for window in (100, 160, 300, 700, 2_600):
        trace = built(messages, system="compiler", window=window, reserve=0, options=options)
        laws.check(trace.to_json(), valid_input=True)
    shown_still = [at for at, message in enumerate(trace.messages[:8]) if message["content"][1]["type"] == "image_url"]
    assert shown_still == list(range(8 - len(shown_still), 8))
    assert 0 < len(shown_still) < 8


def test_a12_a_told_picture_opens_no_round() -> None:
    """The words of its message do."""
    messages = [*(shown(caption=f"Photo {n}: {CAPTION}") for n in range(8)), user("What is broken?")]
    for window in (300, 700, 1_500, 2_600):
        trace = built(messages, system="layered", window=window)
        laws.check(trace.to_json(), valid_input=True)
        for message in trace.messages:
            if isinstance(message["content"], list):
                assert message["content"][0]["text"] == "See this."


@pytest.mark.parametrize("system", MANAGED)
def test_a12_media_have_a_limit_of_their_own_once_it_is_set(system: str) -> None:
    messages = [*(shown(caption=f"Photo {n}: {CAPTION}") for n in range(3)), shown(), user("What is broken?")]
    off = built(messages, system=system, window=64_000)
    assert "media" not in {use.name for use in off.limits}
    assert off.messages[:4] == messages[:4]
    for typed, pictures in (("0", 0), ("300", 1), ("0.5%", 1), ("560", 2), ("5000", 4)):
        trace = built(messages, system=system, window=64_000, limits={"media": typed})
        parts = [
            part for message in trace.messages if isinstance(message["content"], list) for part in message["content"]
        ]
        assert sum(part["type"] == "image_url" for part in parts) == pictures
        use = next(use for use in trace.limits if use.name == "media")
        assert use.used <= use.cap
        others = {use.name: use.cap for use in trace.limits if use.name != "media"}
        assert others == {use.name: use.cap for use in off.limits}
        laws.check(trace.to_json(), valid_input=True)
    one = built(messages, system=system, window=64_000, limits={"media": "300"})
    assert rules(one, "media-limit", "turn-0004/image-1") == ["fits"]  # the newest
    assert rules(one, "media-limit", "turn-0003/image-1") == ["told-in-words"]


@pytest.mark.parametrize("system", MANAGED)
def test_a12_pictures_of_the_question_and_pins_pass_the_limit_and_it_is_said(system: str) -> None:
    messages = [user("One."), shown(caption=CAPTION)]
    trace = built(messages, system=system, window=64_000, limits={"media": "100"})
    assert trace.messages[-1] == messages[-1]
    said = [p.facts for p in trace.snapshots[0 if system == "layered" else 1].problems if p.rule == "over-cap"]
    assert [(facts["limit"], facts["over"]) for facts in said] == [("media", 155)]
    laws.check(trace.to_json(), valid_input=True)


def test_a12_the_words_are_audited_and_found() -> None:
    messages = [shown(caption="Order 4711: a broken candle."), user("What is broken?")]
    trace = built(messages, window=8_000, limits={"media": "100"})
    decision = next(d for d in trace.to_json()["stages"][1]["decisions"] if d["item"] == "turn-0001/image-1")
    assert decision["fidelity"]["added"] == []
    assert trace.story("Order 4711").fate == "kept"
    assert not built(messages, window=8_000).story("Order 4711").found  # it is shown, and nothing says it


def test_a12_raw_has_no_limits_not_even_that_one() -> None:
    with pytest.raises(BudgetError, match="media"):
        built([shown()], system="raw", limits={"media": "0"})


def test_a12_a_sweep_over_the_limit_of_media() -> None:
    messages = [shown(caption=CAPTION), shown(), user("What is broken?")]
    found = survival(scenario(messages), Settings(window=4_000), "media")
    assert [(b.at, b.enters) for b in found.breakpoints if b.enters] == [
        (10, ("turn-0001/image-1",)),  # told
        (255, ("turn-0002/image-1",)),  # the newest, as it is, and nothing is left for the other
        (265, ("turn-0001/image-1",)),
    ]
