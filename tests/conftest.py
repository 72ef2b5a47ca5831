"""What every test may use: golden files, and a store that is never the user's own."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster import MISSING, binaries, cluster
from tests.models.acting import Server, serving

GOLDEN = Path(__file__).parent / "golden"
SHARING = {
    "tests/models/": "model",
    "tests/test_store": "store",
    "tests/test_two_editors": "store",
    "tests/browser/test_ask": "model",
    "tests/browser/test_measure": "model",
    "tests/browser/test_components": "gallery",
    "tests/browser/test_literal": "literal",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew; review the diff")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """`make test` runs on all cores: what shares a costly server stays on one of them, and begins first.

    xdist's own groups hang on a private name of pytest that 9.2 no longer has: they are ignored without a word.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByServer(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((group for place, group in SHARING.items() if nodeid.startswith(place)), nodeid)

    return ByServer(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker more than there are cores: those with a browser wait a third of their time."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else 3


@pytest.fixture(autouse=True)
def own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXCORE_DATABASE_URL", f"sqlite:///{(tmp_path / 'ctxcore.db').as_posix()}")
    monkeypatch.setenv("CTXCORE_CACHE", str(tmp_path / "answers.sqlite"))


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden("name.txt", text)` compares with tests/golden/name.txt, or writes it under --update-golden."""

    def check(name: str, text: str) -> None:
        file = GOLDEN / name
        if request.config.getoption("--update-golden"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        assert file.exists(), f"{file.name} does not exist yet: make golden"
        assert text == file.read_text(encoding="utf-8")

    return check


@pytest.fixture
def server() -> Iterator[Server]:
    """An endpoint of a model that does what the test tells it to."""
    with serving() as server:
        yield server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a real server. Where none is installed, its tests are skipped; in CI they fail."""
    if binaries() is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(MISSING)
    with cluster() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{(tmp_path / 'made' / 'store.db').as_posix()}"
    address: str = request.getfixturevalue("postgresql")
    name = f"test_{secrets.token_hex(4)}"
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"create database {name}")
    return address.replace("/postgres", f"/{name}")
