"""The agent that ships with the product: ten steps with management, broken off without; in two languages (c11, c13)."""

from __future__ import annotations

from functools import cache

import pytest

from ctxcore import InputError, Settings
from ctxcore.agent.metrics import CLAIMED, Metrics, compared, metrics
from ctxcore.agent.scripted import play, script
from ctxcore.agent.step import Step
from ctxcore.auditing.audit import audit
from tests import laws

LANGUAGES = ("en", "zh")


@cache
def steps(lang: str, managed: bool = True) -> tuple[Step, ...]:
    return tuple(play(script(lang=lang), managed=managed))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_c11_with_management_the_task_is_finished_in_ten_steps(lang: str) -> None:
    run = steps(lang)
    assert [step.number for step in run] == list(range(1, 11))
    assert run[-1].finished
    assert max(step.predicted for step in run) < 5_000
    assert not any(step.repeated for step in run)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_c11_without_it_the_window_is_full_by_step_seven(lang: str) -> None:
    run = steps(lang, managed=False)
    assert (len(run), run[-1].ended) == (7, "window-overflow")
    assert run[-1].predicted > 8_000
    assert [step.number for step in run if step.repeated] == [5]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_agent_says_no_number_that_its_context_does_not_hold(lang: str) -> None:
    for step in steps(lang):
        sent = "\n".join(str(message.get("content")) for message in step.trace.messages)
        assert audit(sent, f"{step.thought}\n{step.answer}").invented == (), step.number


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("managed", [True, False])
def test_the_laws_hold_at_every_step(lang: str, managed: bool) -> None:
    for step in steps(lang, managed):
        laws.check(step.trace.to_json(lang), valid_input=True)


@pytest.mark.parametrize("window", [2_500, 4_000])
def test_the_laws_hold_where_the_window_is_tight(window: int) -> None:
    run = list(play(script(), settings=Settings(system="layered", window=window)))
    assert run[-1].finished
    for step in run:
        laws.check(step.trace.to_json(), valid_input=True)


def test_the_scripts_of_both_languages_are_the_same_task() -> None:
    english, chinese = (script(lang=lang) for lang in LANGUAGES)
    assert [record.id for record in english.knowledge] == [record.id for record in chinese.knowledge]
    for kind in ("managed", "unmanaged"):
        made = [[call.name for reply in one.replies[kind] for call in reply.calls] for one in (english, chinese)]
        assert made[0] == made[1]
    with pytest.raises(InputError, match="parcel-lockers"):
        script("no-such-task")


def test_c13_metrics_of_the_same_task_with_and_without_management() -> None:
    found = compared(steps("en"), steps("en", managed=False))
    assert found.managed.finished
    assert not found.unmanaged.finished
    assert found.managed.peak < 5_000 < 8_000 < found.unmanaged.peak
    assert found.unmanaged.over_window_at == 7
    assert found.growth_change < -0.6
    assert (found.managed.repeats, found.unmanaged.repeats, found.unmanaged.calls) == (0, 1, 6)
    assert found.to_json()["claimed"]["unmanaged"] == CLAIMED["unmanaged"]


def test_c13_metrics_count_what_the_steps_say() -> None:
    some = Metrics(3, (100, 250, 400), 300, 4, 1, False, "max-steps")
    assert (some.peak, some.growth, some.repeated_rate, some.over_window_at, some.total) == (400, 150.0, 0.25, 3, 750)
    none = metrics(())
    assert (none.peak, none.growth, none.repeated_rate, none.over_window_at) == (0, 0.0, 0.0, None)
