"""Real files, windows that are too small, lost texts: the first remedy keeps one, and one step less does not."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from ctxcore import Scenario, Trace, build
from ctxcore.errors import CtxError
from ctxcore.explaining.remedies import Remedy, keeps, remedies
from ctxcore.explaining.why import fate_of
from tests.build import SHARED
from tests.test_why import followed

INPUTS = SHARED / "inputs"
SYSTEMS = ("gssc", "compiler", "layered")
LARGEST, SMALL = 120_000, 12_000  # tokens of a file
MANY, FEW = 200, 10

pytestmark = pytest.mark.skipif(not INPUTS.exists(), reason="the real inputs are not here")


@dataclass(frozen=True)
class Triple:
    file: Path
    source: Scenario
    trace: Trace
    text: str

    def __str__(self) -> str:
        asked = self.trace.settings
        return f"{self.file.name} {asked.system} window {asked.window}: {self.text!r}"


@cache
def files() -> tuple[Path, ...]:
    paths = (path for path in INPUTS.rglob("*") if path.is_file() and path.suffix != ".md")
    return tuple(sorted(p for p in paths if 2_000 < p.stat().st_size < 2_000_000 and ".response." not in p.name))


@cache
def loaded(file: Path) -> Scenario | None:
    """None where it is no conversation, or holds many."""
    try:
        return Scenario.load(file)
    except CtxError:
        return None


def triples(count: int, seed: int, largest: int = LARGEST) -> Iterator[Triple]:
    dice = random.Random(seed)
    found = 0
    while found < count:
        file, name = dice.choice(files()), dice.choice(SYSTEMS)
        source = loaded(file)
        if source is None:
            continue
        try:
            tokens = build(source, system="raw", window=10**7).totals.total
            window = int(tokens * dice.uniform(0.15, 0.95))
            if tokens > largest or window < 200:
                continue
            trace = build(source, system=name, window=window)
        except CtxError:
            continue
        text = lost_text(trace, dice) if trace.fits else ""
        if text:
            found += 1
            yield Triple(file, source, trace, text)


def lost_text(trace: Trace, dice: random.Random) -> str:
    """A line of an item that the model does not get to see; "" where none of three tries finds one."""
    there = {item.id for item in trace.final.items}
    gone = [item for item in trace.inputs if item.id not in there and not item.is_media]
    for _ in range(3 if gone else 0):
        lines = [line.strip() for line in re.split(r"[\n.!?。！？]", dice.choice(gone).text) if len(line.strip()) > 12]
        text = dice.choice(lines)[:80].strip() if lines else ""
        if text and fate_of(trace, text) != "kept":
            return text
    return ""


def one_step_less(remedy: Remedy) -> tuple[str, ...] | None:
    """The next smaller change of the kind; None where there is none but to leave it."""
    (flag, value), rest = remedy.argv[:2], remedy.argv[2:]
    key, _, number = value.rpartition("=")
    now = remedy.facts.get("now")
    match flag:
        case "--window":
            less = str(int(value) - 1)
        case "--reserve":
            less = str(int(value) + 1)
        case "--priority":
            less = f"{key}={int(number) + 1}"
        case "--limit":
            step = 1 if remedy.facts["cap"] < int(str(now)) else -1
            less = f"{key}={float(number[:-1]) + step / 10:g}%"
        case "--set" if re.fullmatch(r"\d+", number) and re.fullmatch(r"\d+", str(now)):
            less = f"{key}={int(number) + (1 if int(number) < int(str(now)) else -1)}"
        case _:
            return None
    return (flag, less, *rest)


def fault(triple: Triple) -> str:
    """What does not hold; "" where all does."""
    found = remedies(triple.source, triple.trace, triple.trace.story(triple.text))
    if not found:
        return f"no remedy: {triple}"
    first = found[0]
    if not keeps(followed(triple.source, triple.trace, first.argv), triple.text):
        return f"{first.argv} does not keep it: {triple}"
    less = one_step_less(first)
    if keeps(followed(triple.source, triple.trace, less) if less else triple.trace, triple.text):
        return f"{less} is enough, {first.argv} is more: {triple}"
    return ""


def test_the_first_remedy_of_ten_is_the_smallest() -> None:
    assert [told for triple in triples(FEW, seed=4, largest=SMALL) if (told := fault(triple))] == []


@pytest.mark.deep
def test_the_first_remedy_of_200_is_the_smallest(capsys: pytest.CaptureFixture[str]) -> None:
    faults = [told for triple in triples(MANY, seed=5) if (told := fault(triple))]
    with capsys.disabled():
        print(f"\n{MANY - len(faults)} of {MANY} hold", *faults, sep="\n")
    assert faults == []
