"""How well the audit sees what was changed, and how often it cries without reason."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence

from bench.compressing.cases import ROOT, SHARED
from ctxcore.auditing.audit import audit
from ctxcore.compressing.sentences import sentences

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
    for path in sorted((ROOT / "ctxcore" / "scenarios").glob("*.json")):
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
