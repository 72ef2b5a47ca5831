"""A million inputs for the parsers, ten thousand command lines: a result or one line that says what is wrong, always.

CTXCORE_FUZZ and CTXCORE_FUZZ_CALLS set other numbers, CTXCORE_FUZZ_SEED another seed.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from ctxcore import build
from ctxcore.cli.main import main
from ctxcore.errors import CtxError
from ctxcore.importing import loads
from ctxcore.scenario import Scenario
from ctxcore.systems import SYSTEMS
from tests import laws
from tests.deep.mutating import OWN, mutants, seeds

INPUTS = int(os.environ.get("CTXCORE_FUZZ", "1000000"))
CALLS = int(os.environ.get("CTXCORE_FUZZ_CALLS", "10000"))
SEED = int(os.environ.get("CTXCORE_FUZZ_SEED", "1"))
BUILT = 50  # of so many scenarios one is built, with its laws
SLOW = 2.0  # seconds of CPU that nothing of this size may take
NAMES = ("chat.json", "log.jsonl", "note.md", "x.txt", "run.traj", "a.eval", "t.csv", "")


def read(data: bytes, name: str) -> Scenario | None:
    try:
        return loads(data, name=name)
    except CtxError as error:
        if "\n" in str(error).strip():
            raise AssertionError(f"an error of several lines: {error}") from error
        return None


@pytest.mark.deep
def test_a_million_inputs_are_read_or_refused(capsys):
    draw, opened, worst = random.Random(SEED), 0, 0.0
    for data in mutants(seeds(), INPUTS, SEED):
        name, began = draw.choice(NAMES), time.process_time()
        try:
            scenario = read(data, name)
            if scenario is not None:
                opened += 1
                if opened % BUILT == 0:
                    trace = build(
                        scenario, system=draw.choice(tuple(SYSTEMS)), window=draw.choice((200, 2_000, 64_000))
                    )
                    laws.check(trace.to_json())
        except CtxError:
            continue
        except Exception:
            keep(data, name)
            raise
        taken = time.process_time() - began
        worst = max(worst, taken)
        assert taken < SLOW, keep(data, name)
    with capsys.disabled():
        print(f"\n{INPUTS:,} inputs, {opened:,} opened, the slowest {worst:.2f} s")


def keep(data: bytes, name: str) -> Path:
    """Where what went wrong can be found again."""
    file = Path(os.environ.get("TMPDIR", "/tmp")) / f"ctxcore-fuzz-{abs(hash(data)) % 10**8}-{name or 'none'}"
    file.write_bytes(data)
    return file


COMMANDS = {
    "run": (), "why": ("Hi.",), "diff": (), "count": (), "lint": (), "check": (), "replay": (),
    "convert": ("--to", "anthropic"), "sweep": ("--over", "window"),
}  # fmt: skip
OPTIONS = {
    "--system": ("gssc", "compiler", "layered", "raw", "x"),
    "--variant": ("article", "repaired", ""),
    "--model": ("gpt-4o", "claude-sonnet-4-5", "qwen", "\ud800", ""),
    "--window": ("4000", "0", "-1", "9" * 30, "1_000", "1e9", "x"),
    "--reserve": ("0", "100", "-5", "9999999"),
    "--limit": ("docs=25%", "docs=", "=", "docs=-5", "nope=1", "history=1e400%", "history=40"),
    "--set": ("select.cap=x", "select.when=tokens > 9", "select.when=(", "nope.when=x", "select.long_item=-1", "a"),
    "--stages": ("gather,select,construct", "construct", "a,b", ","),
    "--query": ("Hi.", "", "\x1b[31m", "你好"),
    "--pin": ("Hi.", "", "c1"),
    "--mute": ("Hi.", "d"),
    "--priority": ("Hi.=1", "Hi.=99", "=", "x"),
    "--lang": ("zh", "en", "xx"),
    "--to": ("gemini", "python", "openai-responses", "x"),
    "--must-keep": ("Hi.", "gone"),
    "--from": ("gather", "x"),
    "--provider": ("openai", "anthropic", "x"),
    "--json": (),
}


@pytest.mark.deep
def test_ten_thousand_command_lines_end_well(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("CTXCORE_CACHE", "off")
    draw = random.Random(SEED)
    files = []
    for at, data in enumerate((*OWN, *mutants(OWN, 20, SEED))):
        files.append(str(tmp_path / f"f{at}.json"))
        Path(files[-1]).write_bytes(data)
    codes: dict[int, int] = {}
    for _ in range(CALLS):
        name = draw.choice(tuple(COMMANDS))
        call = [name, draw.choice((files[0], files[1], draw.choice((*files, "missing.json", "")))), *COMMANDS[name]]
        for option in draw.choices(tuple(OPTIONS), k=draw.choice((0, 0, 1, 1, 2, 4))):
            call += [option, *([draw.choice(OPTIONS[option])] if OPTIONS[option] else [])]
        code = ended(call)
        told = capsys.readouterr()
        assert code in (0, 1, 2, 3), call
        assert "Traceback" not in told.out + told.err, call
        assert "\x1b" not in told.out + told.err, call
        if code == 2:
            assert told.err.count("\n") == 1, (call, told.err)
        codes[code] = codes.get(code, 0) + 1
    with capsys.disabled():
        print(f"\n{CALLS:,} calls: {dict(sorted(codes.items()))}")


def ended(call: list[str]) -> int:
    try:
        return main(call)
    except SystemExit as end:  # --help
        return int(end.code or 0)
