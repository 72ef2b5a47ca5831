"""a12: a picture, a sound or a file that does not fit is told in words, where its part brings some."""

from __future__ import annotations

import base64
import io
import json
import wave

import pytest

from ctxcore.counting.media import read_media
from tests import laws
from tests.build import PIXEL, Message, built, ids, rules, stage, user

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
