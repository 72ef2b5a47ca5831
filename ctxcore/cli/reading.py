"""What the options of a call mean for the engine: a scenario, settings, services."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ctxcore.cli.cache import live_services
from ctxcore.counting.models import use_table
from ctxcore.defaults import SEARCHES, built_in_services
from ctxcore.errors import InputError
from ctxcore.importing import load
from ctxcore.importing.folder import read_folder
from ctxcore.retrieving.at_hand import retriever_at_hand
from ctxcore.scenario import Scenario
from ctxcore.services import Services


def own_models(args: argparse.Namespace) -> None:
    """Takes the user's own table of models, if one is named."""
    if not (path := getattr(args, "models", None)):
        return
    try:
        table = json.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError("models-unreadable", path=path, error=error) from None
    use_table(table, f"--models {path}")


def scenario_of(args: argparse.Namespace) -> Scenario:
    scenario = load(args.file, conversation=args.conversation)
    folder = getattr(args, "docs", None)
    if not folder:
        return scenario
    if not Path(folder).is_dir():
        raise InputError("docs-no-folder", folder=folder)
    records, problems = read_folder(Path(folder))
    if not records and problems:
        raise InputError("docs-problem", problem=problems[0])
    if not records:
        raise InputError("docs-no-text", folder=folder)
    return scenario.with_documents(records).edited(warnings=(*scenario.warnings, *problems))


def settings_of(args: argparse.Namespace) -> dict[str, Any]:
    """The keywords of `build` that the options ask for."""
    stages = None if args.stages is None else tuple(name.strip() for name in args.stages.split(",") if name.strip())
    if stages == ():
        raise InputError("stages-none")
    return {
        "system": args.system,
        "variant": args.variant,
        "model": args.model,
        "window": args.window,
        "reserve": args.reserve,
        "limits": _pairs("--limit", args.limit) or None,
        "options": _pairs("--set", args.set) or None,
        "stages": stages,
        "query": args.query,
        "pins": tuple(args.pin) or None,
        "mutes": tuple(args.mute) or None,
        "priorities": [tuple(text.rpartition("=")[::2]) for text in args.priority] or None,
    }


def services_of(args: argparse.Namespace) -> Services | None:
    """The model that `--live` asks and the retriever that `--retriever` names; None where neither is asked for."""
    live, name = live_services(args), getattr(args, "retriever", None)
    if name is None:
        if getattr(args, "milvus", ""):
            raise InputError("milvus-alone")
        return live
    from ctxcore.retrieving.held import HeldRetriever

    services = live or built_in_services()
    return replace(services, retriever=HeldRetriever(retriever_at_hand(name, args.milvus), SEARCHES))


def _pairs(option: str, given: Sequence[str]) -> dict[str, str]:
    out = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise InputError("name-value", option=option, text=text)
        out[name.strip()] = value if option == "--set" else value.strip()
    return out
