"""`python -m bench.compressing`: what each way to shorten keeps, on documents, on tools' results, and beside a model.

Documents, questions and results are read from ../shared and are not part of this repository. `--model` asks the local
model of `make model` too (minutes).
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from bench.report import table
from ctxcore import build
from ctxcore.auditing.audit import NUMBERS, audit
from ctxcore.compressing.extractive import Extractive
from ctxcore.compressing.json_text import json_value
from ctxcore.compressing.model_compressor import ModelCompressor
from ctxcore.compressing.sentences import sentences
from ctxcore.compressing.structure import folded
from ctxcore.counting.tokens import counter_for
from ctxcore.errors import CtxError
from ctxcore.importing import load
from ctxcore.item import Source
from ctxcore.model.endpoint import local_endpoint
from ctxcore.retrieving.terms import terms

SHARED = Path(__file__).resolve().parents[2] / "shared" / "inputs"
COUNTER = counter_for("gpt-4o")
Way = Callable[["Case", int], str]


@dataclass(frozen=True)
class Case:
    """`gold`: what must still be there for the question to be answered; "" where nobody asked."""

    text: str
    query: str = ""
    gold: str = ""
    source: str = "doc"


@dataclass(frozen=True)
class Score:
    tokens: float  # share of the text's
    numbers: float
    facts: float  # weighted
    answered: float | None
    valid: float | None  # of those that were JSON, those that still are


def lead(case: Case, room: int) -> str:
    return COUNTER.cut(case.text, room)


def head_and_tail(case: Case, room: int) -> str:
    head = COUNTER.cut(case.text, room // 2)
    tail = case.text[-len(head) :]
    while COUNTER.count(head + tail) > room:
        tail = tail[max(1, len(tail) // 50) :]
    return head + tail if tail else head


def at_random(case: Case, room: int) -> str:
    found = sentences(case.text)
    kept: set[int] = set()
    left = room
    for at in random.Random(len(case.text)).sample(range(len(found)), len(found)):
        cost = COUNTER.count(found[at])
        if cost <= left:
            kept.add(at)
            left -= cost
    return "".join(found[at] for at in sorted(kept))


def ours(case: Case, room: int) -> str:
    return Extractive().compress(case.text, query=case.query, max_tokens=room, counter=COUNTER, source=case.source)


def ours_without_query(case: Case, room: int) -> str:
    return Extractive().compress(case.text, query="", max_tokens=room, counter=COUNTER, source=case.source)


def query_alone(case: Case, room: int) -> str:
    return Extractive(focus=1.0).compress(case.text, query=case.query, max_tokens=room, counter=COUNTER)


def lossless(case: Case, room: int) -> str:
    return folded(case.text, COUNTER)


WAYS: dict[str, Way] = {
    "lead": lead,
    "head and tail": head_and_tail,
    "random sentences": at_random,
    "ours, all for the query": query_alone,
    "ours, no query: facts alone": ours_without_query,
    "**ours**": ours,
}


def score(cases: Sequence[Case], way: Way, share: float) -> Score:
    rows = []
    for case in cases:
        total = COUNTER.count(case.text)
        short = way(case, max(1, int(total * share)))
        found = audit(case.text, short)
        kept, whole = (sum(found.kinds.get(kind, (0, 0))[at] for kind in NUMBERS) for at in (0, 1))
        valid = None if json_value(case.text) is None else float(_is_json(short))
        answered = float(_flat(case.gold) in _flat(short)) if case.gold else None
        rows.append((COUNTER.count(short) / total, kept / whole if whole else None, found.recall, answered, valid))
    return Score(*(_mean(column) for column in zip(*rows, strict=True)))  # type: ignore[arg-type]


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known else None


def _flat(text: str) -> str:
    return " ".join(text.split())


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


# -- the texts ---------------------------------------------------------------------------------


def english(parts: int = 24) -> Iterator[Case]:
    """A question, and the documents that answer it among others, in an order of their own; the answer is the sentence
    that shares most words with the one that is given."""
    folder = SHARED / "rag" / "anthropic-docs"
    documents = {row["chunk_link"]: row["text"] for row in json.loads((folder / "anthropic_docs.json").read_text())}
    for asked in json.loads((folder / "docs_evaluation_dataset.json").read_text()):
        right = [documents[link] for link in asked["correct_chunks"] if link in documents]
        if not right:
            continue
        rng = random.Random(asked["id"])
        chosen = right + rng.sample(
            [text for text in documents.values() if text not in right], max(0, parts - len(right))
        )
        rng.shuffle(chosen)
        wanted = set(terms(asked["correct_answer"]))
        said = [one.strip() for text in right for one in sentences(text) if one.strip()]
        gold = max(said, key=lambda one: len(wanted & set(terms(one))) / (len(set(terms(one))) + 8))
        yield Case("\n\n".join(chosen), asked["question"], gold)


def chinese() -> Iterator[Case]:
    texts = [path.read_text("utf-8") for path in sorted((SHARED / "rag" / "zh-docs").glob("*.md"))]
    for asked in json.loads(Path(__file__).with_name("questions.zh.json").read_text("utf-8")):
        gold = asked["holds"][0]
        for text in texts:
            if gold in text:
                yield Case(text, asked["question"], gold)
                break


def tool_results(least: int = 400) -> Iterator[Case]:
    """Each once, from every real file that can be read, with the question of its conversation."""
    seen: set[str] = set()
    for path in sorted(one for one in SHARED.rglob("*") if one.suffix in (".json", ".jsonl", ".traj")):
        if "rag" in path.parts:
            continue
        for at in (None, 0, 1, 2, 3):
            try:
                payload = build(load(str(path), conversation=at), system="raw", window=1 << 40, reserve=0).final
            except CtxError:
                continue
            for item in payload.items:
                if item.source is Source.TOOL and not item.is_media and item.tokens >= least and item.text not in seen:
                    seen.add(item.text)
                    yield Case(item.text, payload.query, source="tool")
            if at is None:
                break


# -- the audit ---------------------------------------------------------------------------------


HEAD = ("audit", "texts", "false “added”", "false “turned”")
HEAD += ("changed digit found", "… and words left out", "removed negation found", "… and words left out")


def alarms(paragraphs: Sequence[str], rounds: int = 8) -> list[str]:
    """False alarms on extracts of 60 % of the sentences, and on paragraphs with words left out; one digit changed,
    up to eight times a paragraph; each negation removed; the same with words left out around it."""
    rng = random.Random(1)
    wrong = [audit(text, "".join(one for one in sentences(text) if rng.random() < 0.6)) for text in _often(paragraphs)]
    wrong += [audit(text, _thinned(text, rng)) for text in _often(paragraphs)]
    changed = dict.fromkeys(pair for text in _often(paragraphs, rounds) if (pair := _other_digit(text, rng)))
    denied = dict.fromkeys(pair for text in paragraphs for pair in _without_negations(text))
    thin_changed, thin_denied = ([(old, _thinned(new, rng)) for old, new in pairs] for pairs in (changed, denied))
    return [
        f"{len(wrong)}",
        f"{sum(bool(found.invented) for found in wrong)}",
        f"{sum(bool(found.flips) for found in wrong)}",
        *(_found(pairs, "invented") for pairs in (changed, thin_changed)),
        *(_found(pairs, "flips") for pairs in (denied, thin_denied)),
    ]


def _often(texts: Sequence[str], rounds: int = 4) -> Iterator[str]:
    return (text for _ in range(rounds) for text in texts)


def _found(pairs: Iterable[tuple[str, str]], what: str) -> str:
    hits = [bool(getattr(audit(*pair), what)) for pair in pairs]
    return f"{sum(hits)} of {len(hits)} ({sum(hits) / len(hits):.1%})" if hits else "–"


def _thinned(text: str, rng: random.Random) -> str:
    """One word in ten left out, and every other particle; none that denies."""
    pattern = r"(?<=\s)(?!not\b|never\b|cannot\b|without\b)[a-z]{3,}(?=\s)|(?<![0-9])[的了在是和](?![0-9])"
    return re.sub(pattern, lambda one: "" if rng.random() < (0.1 if one[0].isascii() else 0.5) else one[0], text)


def _other_digit(text: str, rng: random.Random) -> tuple[str, str] | None:
    places = [at for at, one in enumerate(text) if one in "0123456789"]
    if not places:
        return None
    at = rng.choice(places)
    return text, text[:at] + rng.choice([one for one in "0123456789" if one != text[at]]) + text[at + 1 :]


def _without_negations(text: str) -> Iterator[tuple[str, str]]:
    pattern = (
        r" not(?= [a-z])|n['’]t(?= [a-z])|(?<=can)not(?= [a-z])| never(?= [a-z])"
        r"|不(?=[包支需能会要])|无需|无法|没有|未(?=[在能经])"
    )
    for one in re.finditer(pattern, text):
        able = "n" if text[: one.start()].endswith(("ca", "Ca")) else ""
        yield text, text[: one.start()] + able + text[one.end() :]


def paragraphs() -> Iterator[tuple[str, list[str]]]:
    documents = json.loads((SHARED / "rag" / "anthropic-docs" / "anthropic_docs.json").read_text())
    yield "English", [row["text"] for row in documents if 200 < len(row["text"]) < 2_500]
    texts = "\n\n".join(path.read_text("utf-8") for path in sorted((SHARED / "rag" / "zh-docs").glob("*.md")))
    scenarios = Path(__file__).resolve().parents[1] / "ctxcore" / "scenarios"
    for path in sorted(scenarios.glob("*.json")):
        texts += "\n\n" + "\n\n".join(_strings(json.loads(path.read_text("utf-8"))))
    talks = json.loads((SHARED / "sharegpt" / "glaive_toolcall_zh_demo.json").read_text("utf-8"))
    texts += "\n\n" + "\n\n".join(_strings([talk["conversations"] for talk in talks]))
    found = dict.fromkeys(re.split(r"\n\s*\n", texts))
    yield "Chinese", [one for one in found if 60 < len(one) < 1_500 and len(re.findall("[\u4e00-\u9fff]", one)) > 30]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


# -- the tables --------------------------------------------------------------------------------


def shown(header: str, cases: Sequence[Case], ways: dict[str, Way], share: float) -> str:
    rows = []
    for name, way in ways.items():
        found = score(cases, way, share)
        cells = (found.tokens, found.numbers, found.facts, found.answered, found.valid)
        rows.append([name, *("–" if cell is None else f"{cell:.1%}" for cell in cells)])
    return table([header, "tokens", "numbers kept", "facts kept", "question's answer kept", "JSON stays JSON"], rows)


def beside_a_model(say: Callable[[str], object], count: int = 8) -> None:
    endpoint = local_endpoint(int(os.environ.get("MODEL_PORT", "18080")))
    if endpoint is None:
        say("No model at hand (`make model`): its rows are left out.")
        return
    refused: list[str] = []

    def raw(case: Case, room: int) -> str:
        messages = [
            {"role": "system", "content": "Summarize the text for the question. Copy numbers and names exactly."},
            {"role": "user", "content": f"Question: {case.query}\n\n{case.text}"},
        ]
        return COUNTER.cut(endpoint.reply(messages, max_tokens=room).text, room)

    def checked(case: Case, room: int) -> str:
        compressor = ModelCompressor(endpoint, Extractive())
        short = compressor.compress(case.text, query=case.query, max_tokens=room, counter=COUNTER)
        refused.extend(rule for rule, _ in compressor.told() if rule != "model-summary")
        return short

    cases = [case for case in english(2) if 600 < COUNTER.count(case.text) < 2_000][:count]
    ways = {**WAYS, f"{endpoint.name}, as it answers": raw, f"{endpoint.name}, judged by the audit": checked}
    say(shown(f"{len(cases)} short English documents, 20 %", cases, ways, 0.2))
    say(f"Of {len(cases)} summaries the audit refused {len(refused)}: {', '.join(sorted(refused)) or 'none'}.\n")


def main(say: Callable[[str], object] = print) -> None:
    if not SHARED.exists():
        say("The documents are not here: nothing to measure.")
        return
    for name, cases in (("English", list(english())), ("Chinese", list(chinese()))):
        size = round(mean(COUNTER.count(case.text) for case in cases), -2)
        say(shown(f"{name}, {len(cases)} questions, {size:,.0f} tokens, 10 %", cases, WAYS, 0.1) + "\n")
    results = list(tool_results())
    structured = [case for case in results if folded(case.text, COUNTER) != case.text]
    say(shown(f"{len(results)} real tool results, 25 %", results, WAYS, 0.25) + "\n")
    say(shown(f"{len(structured)} of them with structure, nothing lost", structured, {"tables, folds": lossless}, 1.0))
    say("\n" + table(HEAD, [[name, *alarms(texts)] for name, texts in paragraphs()]) + "\n")
    if "--model" in sys.argv:
        beside_a_model(say)


if __name__ == "__main__":
    main()
