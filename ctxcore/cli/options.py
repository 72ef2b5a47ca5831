"""The options of the command line, and what they mean for the engine."""

from __future__ import annotations

import argparse
from typing import Any

from ctxcore.cli.cache import add_options as add_cache_options
from ctxcore.cli.convert import add_options as add_convert_options
from ctxcore.cli.replay import add_options as add_replay_options
from ctxcore.cli.retrieve import MILVUS
from ctxcore.cli.retrieve import add_options as add_retrieve_options
from ctxcore.cli.sweep import add_options as add_sweep_options
from ctxcore.errors import InputError
from ctxcore.linting.policies import PROVIDERS
from ctxcore.retrieving.choice import RETRIEVERS
from ctxcore.systems import SYSTEMS, VARIANTS
from ctxcore.words import LANGUAGES


class Parser(argparse.ArgumentParser):
    """Says what is wrong with a call in one line, as every other error of the command line."""

    def error(self, message: str) -> Any:
        raise InputError("usage", message=message, program=self.prog)


def parser() -> Parser:
    top = Parser(
        prog="python -m ctxcore",
        description="Builds the context of an LLM call stage by stage, and says why each piece is in or out.",
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    run = _command(commands, "run", "build the context and print the trace", runs=True)
    run.add_argument("--live", action="store_true", help="let the model that is set up write summaries")
    run.add_argument("--report", metavar="HTML", help="also write the run as one page that works from disk")
    why = _command(commands, "why", "where a text went, and what keeps it", runs=True)
    why.add_argument("text", metavar="TEXT")
    diff = _command(commands, "diff", "what changed between two stages, or two traces", runs=True)
    diff.add_argument(
        "other", metavar="TRACE_B", nargs="?", help="a second trace (from run --json); then FILE is one too"
    )
    diff.add_argument("--from", dest="start", metavar="STAGE")
    diff.add_argument("--to", dest="end", metavar="STAGE")
    count = _command(commands, "count", "the token bill of a request as it stands")
    count.add_argument("--model", metavar="NAME")
    count.add_argument("--models", metavar="FILE", help="a table of models of your own, before the built-in one")
    lint = _command(commands, "lint", "what the provider would refuse or misread")
    lint.add_argument("--provider", choices=PROVIDERS, help="whose rules (default: those of the request's own shape)")
    about = "for CI: exit 1 if a text is lost, the payload is over, or lint finds an error"
    check = _command(commands, "check", about, runs=True, many=True)
    check.add_argument("--must-keep", nargs="+", action="extend", default=[], metavar="TEXT")
    about = "how the outcome changes as one limit or the window goes from nothing to everything: exact breakpoints"
    add_sweep_options(_command(commands, "sweep", about, runs=True, many=True))
    add_replay_options(
        _command(commands, "replay", "play a conversation turn by turn: what each limit holds, what is lost", runs=True)
    )
    add_convert_options(
        _command(commands, "convert", "the payload in another provider's shape, as a scenario or as Python", runs=True)
    )
    kept = commands.add_parser("cache", help="answers of models that are kept, and how often they were of use")
    add_cache_options(kept)
    _shared(kept)
    about = "what a folder of documents gives to a question, and how well on a set of them"
    add_retrieve_options(_shared(commands.add_parser("retrieve", help=about, description=about)))
    for name, about in (
        ("systems", "the systems and what they are made of"),
        ("stages", "the stages and their options"),
    ):
        _shared(commands.add_parser(name, help=about, description=about))
    return top


def _command(commands: Any, name: str, about: str, *, runs: bool = False, many: bool = False) -> Parser:
    command: Parser = commands.add_parser(name, help=about, description=about)
    what = "a conversation, request, document or scenario; - for standard input"
    if many:
        command.add_argument("file", metavar="FILE", nargs="+", help=f"{what}; several, or a folder of them")
    else:
        command.add_argument("file", metavar="FILE", help=what)
    command.add_argument("--conversation", type=int, metavar="N", help="which one of a file that holds many, from 0")
    _shared(command)
    if runs:
        _run_options(command)
    return command


def _shared(command: Parser) -> Parser:
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the sentences")
    return command


def _run_options(command: Parser) -> None:
    add = command.add_argument
    add("--system", choices=tuple(SYSTEMS), help="which design (default gssc)")
    add("--variant", choices=VARIANTS, help="repaired (default), or as the article's code does it")
    add("--model", metavar="NAME", help="picks tokenizer, window and counting rules (default gpt-4o)")
    add("--models", metavar="FILE", help="a table of models of your own, before the built-in one")
    add("--window", type=_tokens, metavar="N", help="tokens of the whole window")
    add("--reserve", type=_tokens, metavar="N", help="tokens kept for the answer")
    add("--limit", action="append", default=[], metavar="NAME=15%|2000", help="one section's ceiling; repeatable")
    add("--set", action="append", default=[], metavar="STAGE.OPTION=VALUE", help="one option of one stage; repeatable")
    add("--stages", metavar="a,b,c", help="run these stages in this order instead")
    add("--query", metavar="TEXT", help="the current question")
    add("--docs", metavar="DIR", help="a folder of documents to retrieve from")
    add("--retriever", choices=RETRIEVERS, help="how documents are found: by words, by meaning, by both")
    add("--milvus", default="", metavar="URI", help=MILVUS)
    add("--pin", action="append", default=[], metavar="TEXT", help="items that hold TEXT are never dropped; repeatable")
    add("--mute", action="append", default=[], metavar="TEXT", help="items that hold TEXT never enter; repeatable")
    add("--priority", action="append", default=[], metavar="TEXT=N", help="1 = first to stay … 10; repeatable")


def _tokens(text: str) -> int:
    try:
        return int(text.replace("_", "").replace(",", ""))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of tokens") from None
