"""`cache`: what models answered before, and how often that was of use; and the model that `--live` asks."""

from __future__ import annotations

import argparse
from typing import Any

from ctxcore.cli.outcome import Outcome
from ctxcore.compressing.answers import Answers, answers_from_env
from ctxcore.defaults import model_services
from ctxcore.errors import InputError
from ctxcore.model.endpoint import endpoint_from_env, local_endpoint
from ctxcore.services import Services


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--clear", action="store_true", help="forget all of them")


def cache(args: argparse.Namespace) -> Outcome:
    answers = answers_from_env()
    if args.clear:
        answers.clear()
    data = _told(answers)
    return Outcome(data, lambda: _shown(data))


def live_services(args: argparse.Namespace) -> Services | None:
    """None without `--live`: then no model is asked. Raises InputError where there is none to ask."""
    if not getattr(args, "live", False):
        return None
    endpoint = endpoint_from_env(small=True) or local_endpoint()
    if endpoint is None:
        raise InputError("live-no-model")
    return model_services(endpoint, live=True)


def _told(answers: Answers) -> dict[str, Any]:
    found = answers.statistics()
    return {
        "file": str(answers.path) if answers.path else None,
        "entries": found.entries,
        "characters": found.size,
        "capacity": answers.capacity,
        "hits": found.hits,
        "misses": found.misses,
        "rate": found.rate,
        "fault": answers.fault or None,
    }


def _shown(data: dict[str, Any]) -> str:
    if data["fault"]:
        return f"The cache cannot be used: {data['fault']}"
    if data["file"] is None:
        return "The cache is off (CTXCORE_CACHE)."
    rate = "nothing asked yet" if data["rate"] is None else f"{data['rate']:.0%} found"
    return (
        f"{data['entries']:,} answers, {data['characters']:,} of {data['capacity']:,} characters\n"
        f"{data['hits']:,} found here, {data['misses']:,} asked of a model: {rate}\n{data['file']}"
    )
