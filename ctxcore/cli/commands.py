"""What each command of the command line does."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ctxcore.build import build
from ctxcore.catalogue import stages_json, systems_json
from ctxcore.cli import show
from ctxcore.cli.cache import cache
from ctxcore.cli.convert import convert
from ctxcore.cli.outcome import Outcome
from ctxcore.cli.reading import scenario_of, services_of, settings_of
from ctxcore.cli.replay import replay
from ctxcore.cli.report import write_report
from ctxcore.cli.retrieve import retrieve
from ctxcore.cli.several import each
from ctxcore.cli.sweep import sweep
from ctxcore.cli.traces import items_at, load_trace
from ctxcore.cli.wired import request_of
from ctxcore.counting.count import count_request
from ctxcore.diff import diff
from ctxcore.errors import CtxError, InputError, StageError
from ctxcore.explaining.remedies import losses, remedies
from ctxcore.explaining.why import lights_of
from ctxcore.findings.prefix import Prefix, cached_prefix
from ctxcore.linting.lint import lint, lint_request
from ctxcore.linting.lint import report as lint_json
from ctxcore.settings import DEFAULT_MODEL
from ctxcore.trace import Trace
from ctxcore.words import sentence


def run(args: argparse.Namespace) -> Outcome:
    try:
        trace, failed = _build(args), ""
    except StageError as error:  # what came before the stage that raised is printed, unless the call is what is wrong
        if isinstance(error.__cause__, CtxError):
            raise
        trace, failed = error.trace, str(error)
    if args.report:
        write_report(trace, args.report, args.lang)
    return Outcome(
        trace.to_json(args.lang) if args.json else None,
        lambda: show.trace(trace, args.lang),
        StageError.exit_code if failed else trace.exit_code,
        failed or _floor(trace, args.lang),
    )


def why(args: argparse.Namespace) -> Outcome:
    if not args.text.strip():
        raise InputError("why-empty")
    scenario, services = scenario_of(args), services_of(args)
    trace = build(scenario, services=services, **settings_of(args))
    told = trace.story(args.text)
    found, lose = (find(scenario, trace, told, services) for find in (remedies, losses))
    data = {
        **told.to_json(args.lang),
        "remedies": [remedy.to_json(args.lang) for remedy in found],
        "losses": [remedy.to_json(args.lang) for remedy in lose],
    }
    return Outcome(data, lambda: show.story(told, (*found, *lose), args.lang))


def diff_of(args: argparse.Namespace) -> Outcome:
    prefix: Prefix | None = None
    if args.other:
        first, second = load_trace(args.file), load_trace(args.other)
        result = diff(items_at(first, args.start), items_at(second, args.end), by_content=True)
        if not (args.start or args.end):
            prefix = cached_prefix(first, second, str(second.get("model") or DEFAULT_MODEL))
    else:
        trace = _build(args)
        names = [snapshot.name for snapshot in trace.snapshots]
        start, end = args.start or names[0], args.end or names[-1]
        for name in (start, end):
            if name not in names:
                raise InputError("diff-no-stage", name=name, there=names)
        result = diff(trace.snapshots[names.index(start)].items, trace.snapshots[names.index(end)].items)
    data = {**result.to_json(), **({"prefix": prefix.to_json()} if prefix else {})}
    return Outcome(data, lambda: show.difference(result, prefix.says(args.lang) if prefix else ""))


def count(args: argparse.Namespace) -> Outcome:
    request, shape = request_of(args)
    bill = count_request(request, args.model or str(request.get("model") or DEFAULT_MODEL), shape)
    return Outcome(bill.to_json(), lambda: show.bill(bill))


def lint_of(args: argparse.Namespace) -> Outcome:
    request, shape = request_of(args)
    found = lint_request(request, args.provider, shape)
    return Outcome(lint_json(found), lambda: show.lint(found, args.lang))


def check(args: argparse.Namespace) -> Outcome:
    scenario = scenario_of(args)
    trace = build(scenario, services=services_of(args), **settings_of(args))
    wanted = [*args.must_keep, *(text for text in scenario.must_keep if text not in args.must_keep)]
    lights = {text: lights_of(trace, text) for text in wanted}
    lost = [text for text in wanted if lights[text][-1][1] != "kept"]
    errors = [finding for finding in lint(trace.messages, trace.tools) if finding.severity == "error"]
    failed = bool(lost or errors or not trace.fits)
    data = {
        "ok": not failed,
        "lost": lost,
        "texts": [
            {"text": text, "stages": [{"stage": stage, "fate": light} for stage, light in lights[text]]}
            for text in wanted
        ],
        "fits": trace.fits,
        "total": trace.totals.total,
        "room": trace.budget.room,
        "lint": lint_json(errors)["problems"],
    }
    return Outcome(data, lambda: show.check(data, wanted), 1 if failed else 0)


def systems(args: argparse.Namespace) -> Outcome:
    data = systems_json()
    return Outcome(data, lambda: show.systems(data))


def stages(args: argparse.Namespace) -> Outcome:
    data = stages_json(args.lang)
    return Outcome(data, lambda: show.stages(data))


COMMANDS: dict[str, Callable[[argparse.Namespace], Outcome]] = {
    "run": run,
    "why": why,
    "diff": diff_of,
    "count": count,
    "lint": lint_of,
    "check": each(check),
    "sweep": each(sweep),
    "systems": systems,
    "stages": stages,
    "replay": replay,
    "retrieve": retrieve,
    "convert": convert,
    "cache": cache,
}


def _build(args: argparse.Namespace) -> Trace:
    return build(scenario_of(args), services=services_of(args), **settings_of(args))


def _floor(trace: Trace, lang: str) -> str:
    """The line for exit status 3: what is needed, what there is, and the smallest window, if there is one."""
    if not trace.exit_code:
        return ""
    if trace.floor <= trace.budget.room:  # the options or stages that were asked for do not hold the room
        total, room = trace.totals.total, trace.budget.room
        return sentence("over-budget", {"total": total, "room": room, "over": total - room}, lang)
    return (
        f"{sentence('floor', {'floor': trace.floor, 'room': trace.budget.room, 'window': trace.budget.window}, lang)} "
        f"{sentence('smallest-window', {'window': trace.smallest_window}, lang)}"
    )
