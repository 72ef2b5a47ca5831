"""Old tool results that leave one line (b14): which, what the line says, and what never becomes one."""

from __future__ import annotations

import json
from typing import Any

from ctxcore import Services, Trace
from ctxcore.auditing.audit import audit
from ctxcore.stages import STAGES
from tests import laws
from tests.build import built, calls, result, rules, stage, system, user

COMPACTOR = "tool-result-compactor"
ROWS = json.dumps([{"day": at, "rain": at * 7} for at in range(40)])
LOG = "\n".join(f"Step {at} of the build took {at * 31} ms." for at in range(40))


def masked(text: str, keep_rounds: int, **more: Any) -> Trace:
    rounds = [one for key in ("c1", "c2", "c3") for one in (calls(key), result(key, text))]
    options = {"enabled": True, "keep_rounds": keep_rounds, "max_tokens": 10_000}
    told = {f"{COMPACTOR}.{name}": value for name, value in options.items()}
    return built(
        [system(), user(), *rounds, user("What next?")], system="compiler", window=32_000, options=told, **more
    )


def results(trace: Trace) -> list[str]:
    return [item.text for item in trace.final.items if item.source == "tool"]


def test_the_newest_rounds_stay_and_older_results_leave_a_line():
    trace = masked(LOG, 1)
    assert rules(trace, COMPACTOR).count("masked-result") == 2
    first, second, third = results(trace)
    assert third == LOG
    assert [line.startswith("[left out: ") and "\n" not in line for line in (first, second)] == [True, True]
    assert [len(item.calls) for item in trace.final.items if item.calls] == [1, 1, 1]
    assert audit(LOG, first).added == ()
    laws.check(trace.to_json(), valid_input=True)


def test_a_line_in_place_of_json_is_json():
    trace = masked(ROWS, 2)
    assert isinstance(json.loads(results(trace)[0]), str)
    assert results(trace)[1:] == [ROWS, ROWS]
    laws.check(trace.to_json(), valid_input=True)


def test_nothing_is_masked_by_itself_nor_what_is_shorter_than_its_line():
    assert set(rules(masked(LOG, 0), COMPACTOR)) == {"untouched"}
    assert results(masked("7 degrees", 1)) == ["7 degrees"] * 3


def test_a_masked_result_is_not_masked_again_and_a_pinned_one_never_is():
    once = masked(LOG, 1)
    after = stage(once, "user-profile-injector").before
    again = STAGES[COMPACTOR](enabled=True, keep_rounds=1).apply(after, Services(None, None))  # type: ignore[call-arg,arg-type]
    assert again.items == after.items
    first = next(item.id for item in once.inputs if item.source == "tool")
    assert results(masked(LOG, 1, pins=(first,)))[0] == LOG
