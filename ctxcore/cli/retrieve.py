"""`retrieve`: what a folder of documents gives to a question, and how well, on a set of questions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ctxcore.cli.outcome import Outcome
from ctxcore.cli.show import plain
from ctxcore.counting.tokens import counter_for
from ctxcore.errors import InputError
from ctxcore.importing.folder import read_files, read_folder
from ctxcore.retrieving.at_hand import retriever_at_hand
from ctxcore.retrieving.choice import RETRIEVERS
from ctxcore.retrieving.chunking import Chunking
from ctxcore.retrieving.knowledge import Found, Knowledge
from ctxcore.retrieving.questions import Answered, answered, measures_of, read_questions
from ctxcore.retrieving.reasons import reasons
from ctxcore.services import Retriever

DEFAULT = Chunking()
MILVUS = "keep the vectors in Milvus: a file that ends in .db, or an address"


def add_options(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("docs", metavar="DOCS", help="a folder of documents, or a JSON list of texts")
    add("--ask", metavar="TEXT", help="search for this")
    add("--questions", metavar="FILE", help="measure on a question set: recall, precision, MRR, nDCG")
    add("--by", choices=RETRIEVERS, default="bm25", help="words (default), meaning, or both by rank fusion")
    add("--k", type=int, default=5, metavar="N", help="hits (default 5)")
    add("--chunk", type=int, default=DEFAULT.size, metavar="N", help="tokens of a chunk (default %(default)s)")
    add("--overlap", type=int, default=DEFAULT.overlap, metavar="N", help="tokens repeated (default %(default)s)")
    add("--milvus", default="", metavar="URI", help=MILVUS)


def retrieve(args: argparse.Namespace) -> Outcome:
    if not args.ask and not args.questions:
        raise InputError("retrieve-nothing")
    if not 1 <= args.k <= 1_000:
        raise InputError("retrieve-k", k=args.k)
    knowledge, problems = _knowledge(args)
    retriever = retriever_at_hand(args.by, args.milvus)
    found = knowledge.search(args.ask, retriever, args.k) if args.ask else ()
    rows = answered(knowledge, _questions(args.questions), retriever, args.k) if args.questions else []
    data = {
        "documents": len(knowledge.documents),
        "chunks": len(knowledge.pieces),
        "oversized": sum(piece.chunk.oversized for piece in knowledge.pieces),
        "problems": list(problems),
        "retriever": args.by,
        "scale": retriever.scale,
        "hits": _hits(args.ask, knowledge, retriever, found),
        "measures": {"k": args.k, "questions": len(rows), **asdict(measures_of(rows))} if rows else None,
        "missed": [row.question.text for row in rows if row.measures.recall == 0],
    }
    return Outcome(data, lambda: _shown(data, rows))


def _knowledge(args: argparse.Namespace) -> tuple[Knowledge, Sequence[str]]:
    path = Path(args.docs)
    if path.is_dir():
        records, problems = read_folder(path)
    else:
        try:
            records, problems = read_files([(path.name, path.read_bytes())])
        except OSError as error:
            raise InputError("unreadable-file", path=args.docs, reason=error.strerror or error) from None
    if not records and problems:
        raise InputError("problem", problem=problems[0])
    if not records:
        raise InputError("no-text-in", path=args.docs)
    return Knowledge(records, counter_for("gpt-4o"), Chunking(args.chunk, args.overlap)), problems


def _questions(file: str) -> Any:
    try:
        return read_questions(Path(file).read_bytes(), Path(file).name)
    except OSError as error:
        raise InputError("questions-unreadable", path=file, reason=error.strerror or error) from None


def _hits(query: str, knowledge: Knowledge, retriever: Retriever, found: Sequence[Found]) -> list[dict[str, Any]]:
    why = reasons(query or "", knowledge.texts, retriever, [one.hit for one in found])
    return [
        {
            "rank": one.rank,
            "name": one.piece.name,
            "score": round(one.hit.score, 4),
            "repeats": one.repeats,
            "reasons": [asdict(reason) for reason in because],
            "text": one.piece.chunk.text,
        }
        for one, because in zip(found, why, strict=True)
    ]


def _reason(one: dict[str, Any]) -> str:
    name = plain(one["name"])
    return f"{name} rank {one['value']:.0f}" if one["kind"] == "rank" else f"{name} {one['value']:.2f}"


def _shown(data: dict[str, Any], rows: Sequence[Answered]) -> str:
    lines = [f"{data['documents']:,} documents, {data['chunks']:,} chunks, {data['oversized']:,} longer than the size"]
    lines += [f"left out: {plain(problem)}" for problem in data["problems"]]
    for hit in data["hits"]:
        words = ", ".join(map(_reason, hit["reasons"][:10]))
        lines += [
            f"{hit['rank']:>3} {hit['score']:.3f} {plain(hit['name'])}  {words}",
            f"    {plain(hit['text'], 100)}",
        ]
    if measures := data["measures"]:
        named = {name: measures[name] for name in ("recall", "precision", "mrr", "ndcg")}
        numbers = "  ".join(f"{name}@{measures['k']} {value:.3f}" for name, value in named.items())
        lines.append(f"{numbers}  ({measures['questions']} questions, {len(data['missed'])} without a right hit)")
    return "\n".join(lines)
