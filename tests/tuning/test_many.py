"""Many scenarios: a row each, the best split over all, and the same sweep on any executor."""

from __future__ import annotations

import json
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from ctxcore.cli.main import main
from ctxcore.evaluating.evaluation import evaluate, plan
from ctxcore.settings import settings_for
from ctxcore.tuning.axis import typed
from ctxcore.tuning.many import Job, best_over_all, rows, sweeps
from ctxcore.tuning.spreading import spread
from tests import test_evaluating as evaluating
from tests.build import document, scenario, system, talk, user, words
from tests.models.acting import serving
from tests.test_evaluating import model_of, reads_well


def source(name: str, turns: int, *must_keep: str):
    docs = [document(f"doc-{n}", words(6, f"{name}{n}"), 1 - n / 5) for n in range(4)]
    return scenario([system(), *talk(turns, 2), user()], documents=docs, must_keep=list(must_keep), name=name)


SOURCES = (source("hills", 4, "hills3"), source("lakes", 9), source("woods", 1, "nothing holds this"))
JOBS = tuple(Job(one, settings_for(one, {"window": 700, "reserve": 0}), over="docs") for one in SOURCES)


def test_a_row_says_what_fits_what_is_lost_and_what_it_costs() -> None:
    found = rows(JOBS)
    assert [row.name for row in found] == ["hills", "lakes", "woods"]
    assert all(row.fits and row.total <= row.room == 700 and row.cents and row.cents > 0 for row in found)
    assert found[2].lost == ("nothing holds this",)
    assert not found[2].ok
    assert found[1].ok


def test_the_best_split_over_all_names_its_worst_case() -> None:
    found = best_over_all(JOBS)
    assert len(found) == len(JOBS) + 1
    assert found[0].rank == max(one.rank for one in found)
    now = next(one for one in found if not one.origin)
    assert found[0].rank >= now.rank
    assert found[0].lost[found[0].worst] == max(found[0].lost)


def _square(job: int) -> int:
    return job * job


def test_results_come_in_the_order_of_the_jobs_and_errors_are_raised() -> None:
    assert spread(_square, range(20)) == tuple(n * n for n in range(20))
    with pytest.raises(ZeroDivisionError), ThreadPoolExecutor(2) as pool:
        spread(lambda job: 1 // job, [1, 0], pool)


def test_the_same_sweep_in_other_processes() -> None:
    with ProcessPoolExecutor(1) as pool:
        assert [one.to_json() for one in sweeps(JOBS[:2], pool)] == [one.to_json() for one in sweeps(JOBS[:2])]


@pytest.mark.deep
def test_the_same_sweep_and_evaluation_on_a_cluster_of_dask() -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        there = sweeps(JOBS, client.get_executor())
        assert [one.to_json() for one in there] == [one.to_json() for one in sweeps(JOBS)]
        assert rows(JOBS, client.get_executor()) == rows(JOBS)
        assert evaluated(client.get_executor()) == evaluated(None)


def evaluated(executor: Executor | None) -> list[tuple[str, int, str, bool]]:
    """The answers of a model that reads well, under both managements."""
    with serving() as server:
        server.acts = [reads_well]
        planned = plan(evaluating.SOURCES, evaluating.ASKED, (evaluating.RAW, evaluating.WIDE))
        answers = evaluate(planned, model_of(server), {}, executor=executor)
        found = sorted((one.question.id, one.arm, one.text, one.right) for one in answers)
        assert (len(found), len(server.bodies), any(one[3] for one in found)) == (6, 6, True)
        return found


def test_check_and_sweep_take_several_files_and_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for one in SOURCES:
        (tmp_path / f"{one.name}.json").write_text(json.dumps(one.to_json()))
    assert main(["check", str(tmp_path), "--window", "700", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [one["ok"] for one in found["files"]][1:] == [True, False]
    assert not found["ok"]
    two = [str(tmp_path / "hills.json"), str(tmp_path / "lakes.json")]
    assert main(["sweep", *two, "--over", "docs", "--window", "700", "--reserve", "0", "--json"]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert {"over", "from", "to", "breakpoints", "file"} == set(files[0])
    assert main(["sweep", two[0], "--over", "docs", "--window", "700", "--reserve", "0"]) == 0
    assert "breakpoints" in capsys.readouterr().out
    assert main(["sweep", two[0], "--over", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.parametrize(("over", "right"), [("window=4000,8000", "window"), ("docs=9", "docs"), ("nothing", "window")])
def test_sweep_names_what_it_goes_over(
    over: str, right: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hills.json"
    file.write_text(json.dumps(SOURCES[0].to_json()))
    assert main(["sweep", str(file), "--over", over]) == 2
    told = capsys.readouterr().err
    assert f"--over {right}." in told
    assert "window, " in told


@pytest.mark.parametrize("tokens", [1, 333, 790, 999])
def test_a_share_is_written_so_that_it_is_exactly_so_many_tokens(tokens: int) -> None:
    one = SOURCES[0]
    from ctxcore.build import build_budget

    text = typed(tokens, 3_333, share=True)
    assert text.endswith("%")
    assert build_budget(one, settings_for(one, {"window": 3_333, "limits": {"docs": text}})).cap("docs") == tokens
    assert typed(tokens, 3_333, share=False) == str(tokens)
