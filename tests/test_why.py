"""Where a text went, and what keeps it: fates, stories, and remedies that hold when they are followed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore import Scenario, Trace, build
from ctxcore.explaining.remedies import remedies
from ctxcore.explaining.why import story_of
from tests import strategies
from tests.build import assistant, built, calls, document, record, result, scenario, system, talk, user, words

NEEDLE = "The needle lies at km 417."


def buried(at: int = 0) -> list[dict[str, Any]]:
    """A conversation with the needle in its turn number `at`."""
    messages = talk(8)
    messages[at] = user(f"{words(2)} {NEEDLE} {words(2, 'lake')}")
    return [system(), *messages, user("And now?")]


def followed(source: Scenario, trace: Trace, argv: tuple[str, ...]) -> Trace:
    """The build again, with what a remedy adds to the call."""
    asked = trace.settings
    given: dict[str, Any] = {field.name: getattr(asked, field.name) for field in fields(asked)}
    given |= {"limits": dict(asked.limits), "options": dict(asked.options), "priorities": dict(asked.priorities)}
    for name, value in zip(argv[::2], argv[1::2], strict=True):
        key, _, rest = value.rpartition("=")
        match name:
            case "--pin" | "--mute":
                given[f"{name[2:]}s"] = (*given[f"{name[2:]}s"], value)
            case "--window" | "--reserve":
                given[name[2:]] = int(value)
            case "--limit":
                given["limits"][key] = rest
            case "--set":
                given["options"][key] = rest
            case "--priority":
                given["priorities"][key] = rest
            case "--stages":
                given["stages"] = tuple(value.split(","))
    return build(source, **given)


def test_kept_lost_and_not_found() -> None:
    trace = built(buried(), window=500)
    assert trace.story("And now?").fate == "kept"
    assert trace.story(NEEDLE).fate == "lost"
    nothing = trace.story("never said by anybody")
    assert (nothing.found, nothing.stories) == (False, ())


def test_a_summary_that_says_it_keeps_it() -> None:
    trace = built(
        buried(), system="compiler", window=1_200, limits={"history": "40%"}, query="Where does the needle lie?"
    )
    found = trace.story(NEEDLE)
    assert found.fate == "kept"
    (one,) = found.stories
    assert [event.decision.rule for event in one.events if event.stage == "conversation-compactor"] == ["summarized"]
    assert one.message is not None
    assert NEEDLE in str(trace.messages[one.message]["content"])


def test_a_text_of_which_some_words_are_left_is_partly_kept() -> None:
    said = "Retention was 38% in March, much to our surprise."
    sources = {
        "documents": [
            document(
                "doc-01",
                f"Quartz glows beneath lamps. {words(120)} {said} Nobody knew why it fell. {words(120, 'lake')}",
            )
        ]
    }
    trace = built([user("What was retention in March?")], sources=sources, limits={"docs": 40})
    assert trace.story(said).fate == "kept"
    assert trace.story(f"{said} Nobody knew why it fell. The lake number 0 is 0 metres wide.").fate == "partly"
    assert trace.story("Quartz glows beneath lamps.").fate == "lost"


def test_spaces_and_letter_case_are_forgiven() -> None:
    trace = built(buried(), window=500)
    assert trace.story("the  NEEDLE\nlies").found


def test_a_story_goes_through_every_stage_until_its_end() -> None:
    trace = built(buried(), window=500)
    (one,) = trace.story(NEEDLE).stories
    assert [(event.stage, str(event.decision.action)) for event in one.events] == [
        ("gather", "added"),
        ("select", "dropped"),
    ]
    assert (one.end, one.message) == ("lost", None)
    asked = story_of(trace, "turn-0018")
    assert [event.stage for event in asked.events] == ["gather", "select", "summarize", "construct"]
    assert asked.message == len(trace.messages) - 1


def test_what_stands_in_several_items_has_several_stories() -> None:
    trace = built([user(NEEDLE), assistant("ok"), user(NEEDLE)])
    assert [one.item for one in trace.story(NEEDLE).stories] == ["turn-0001", "turn-0003"]


def test_a_result_s_story_names_its_group() -> None:
    messages = [user(), calls("c1"), result("c1", f"{NEEDLE} {words(40)}"), *talk(2), user()]
    trace = built(messages, window=8_000, limits={"tools": 50}, options={"select.admit_compressed": "false"})
    (one,) = trace.story(NEEDLE).stories
    assert one.events[-1].decision.rule == "group-cap"


# -- remedies ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gssc", "compiler"])
def test_remedies_hold_when_they_are_followed(name: str) -> None:
    source = scenario(buried())
    options = {"conversation-compactor.overflow": "truncate"} if name == "compiler" else {}
    trace = build(source, system=name, window=500, options=options)
    assert trace.story(NEEDLE).fate == "lost"
    found = remedies(source, trace, trace.story(NEEDLE))
    assert {"--pin", "--window"} <= {remedy.argv[0] for remedy in found}
    for remedy in found:
        again = followed(source, trace, remedy.argv)
        assert again.fits
        assert again.story(NEEDLE).fate == "kept"
        assert again.totals.total == remedy.tokens
        assert not {item.id for item in again.final.items} & set(remedy.pushes_out)
        assert {item.id for item in again.final.items} >= set(remedy.brings_in)
        assert build(source, remedy.settings).totals == again.totals


def test_the_window_is_the_smallest_of_its_kind() -> None:
    source = scenario(buried())
    trace = build(source, window=500)
    (window,) = (remedy for remedy in remedies(source, trace, trace.story(NEEDLE)) if remedy.argv[0] == "--window")
    smallest = int(window.argv[1])
    assert smallest > 500
    assert build(source, window=smallest - 1, reserve=int(window.argv[3])).story(NEEDLE).fate != "kept"


def test_nothing_to_cure_no_remedy() -> None:
    source = scenario(buried())
    kept = build(source)
    assert remedies(source, kept, kept.story(NEEDLE)) == ()
    assert remedies(source, kept, kept.story("never said")) == ()


def test_no_pin_where_pinning_would_not_fit() -> None:
    source = scenario([user(f"{words(200)} {NEEDLE}"), user("And now?")])
    trace = build(source, window=300)
    found = remedies(source, trace, trace.story(NEEDLE))
    assert "--pin" not in [remedy.argv[0] for remedy in found]


@given(
    strategies.scenarios(),
    strategies.settings(("gssc", "compiler", "raw")),
    st.sampled_from(("38%", "42", "river number 7 ", "ok")),
)
@settings(max_examples=40, deadline=None)
def test_every_story_is_true(data: dict[str, Any], asked: dict[str, Any], text: str) -> None:
    source = Scenario.from_json(data)
    trace = build(source, **asked)
    told = trace.story(text)
    present = {item.id: item for item in trace.final.items}
    for one in told.stories:
        assert one.events
        assert one.events[0].decision.action == "added"
        if one.end == "lost" and one.item in present:
            assert text not in present[one.item].text
        if one.end == "payload":
            assert one.message is not None
            assert any(" ".join(text.split()) in " ".join(item.text.split()).lower() for item in present.values())


def test_a_memory_note_has_a_story_too() -> None:
    trace = built([user()], sources={"memory": [record("memory-01", NEEDLE)]}, system="compiler")
    (one,) = trace.story(NEEDLE).stories
    assert one.message == 0
