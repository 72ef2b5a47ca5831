"""The nine laws, as properties of whole pipelines over generated scenarios and settings."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxcore import BudgetError, Scenario, Trace, build
from tests import laws, strategies
from tests.build import built, calls, document, record, result, scenario, stage, system, talk, tool_result, user, words

WHOLE = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def run(data: dict[str, Any], asked: dict[str, Any]) -> Trace:
    return build(Scenario.from_json(data), **asked)


@given(strategies.scenarios(), strategies.settings())
@WHOLE
def test_laws_of_one_trace(data: dict[str, Any], asked: dict[str, Any]) -> None:
    source = Scenario.from_json(data)
    laws.check(build(source, **asked).to_json(), valid_input=laws.is_valid(source.messages, source.tools))


@given(strategies.scenarios(broken=False), strategies.settings(("gssc", "compiler"), ("repaired",)))
@WHOLE
def test_laws_of_a_repaired_system_on_valid_input(data: dict[str, Any], asked: dict[str, Any]) -> None:
    source = Scenario.from_json(data)
    laws.check(build(source, **asked).to_json(), valid_input=laws.is_valid(source.messages, source.tools))
