"""`python -m bench tokens`: our bills beside what providers charged, family by family. Needs the recorded bills."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.image_rules import images_table
from bench.report import table
from ctxcore.counting.count import count_request
from ctxcore.counting.models import model
from ctxcore.wire import Request, read_request

NOTES = {  # what is known of bills that no rule explains: told, and no rule was made for one bill
    ("chat", "o1-mini"): "the only bill of its family, 8 above the rule of o-series; no second one to tell why",
    ("chat", "gpt-4o-search-preview"): "its texts alone (6 + 5): framing is not billed; one bill, so no rule",
    ("responses", "gpt-4.1-mini"): "an answer of input_tokens (an estimate before sending), not a bill",
    (
        "responses",
        "gpt-5.4",
    ): "definitions that are loaded later (additional_tools): how they are written is not published",
}
ORACLES = Path(__file__).resolve().parents[2] / "shared" / "oracles"
FILES = {
    "chat": ("openai_chat.json", "published.json"),
    "responses": ("openai_responses.json", "openai_responses_input_tokens.json"),
    "messages": ("anthropic_messages.json", "anthropic_count_tokens.json"),
}
FAMILIES = {
    "gpt-4o": "gpt-4o, 4.1, 4.5",
    "gpt-4": "gpt-4, 3.5",
    "gpt-3.5-0301": "gpt-4, 3.5",
    "gpt-5": "gpt-5, o-series",
    "gpt-5.2": "gpt-5, o-series",
    "claude": "Claude",
    "claude-4.0": "Claude",
    "claude-4.7": "Claude",
}


@dataclass(frozen=True, slots=True)
class Recorded:
    api: str
    model: str
    request: Mapping[str, Any]
    billed: int
    source: str

    @property
    def family(self) -> str:
        return FAMILIES[model(self.model).chat]

    @property
    def off(self) -> int:
        return count_request(self.request, self.model).total - self.billed


def recorded(api: str) -> Iterator[Recorded]:
    """Distinct requests, by what is billed of them."""
    seen: set[str] = set()
    for file in FILES[api]:
        for row in json.loads((ORACLES / file).read_text("utf-8")):
            request = row["request"]
            fields = ("messages", "input", "system", "instructions", "tools", "functions", "tool_choice")
            key = json.dumps([row["model"], *(request.get(field) for field in fields)])
            if key not in seen:
                seen.add(key)
                yield Recorded(api, row["model"], request, row["expected_input_tokens"], row["source"])


def kind_of(request: Mapping[str, Any]) -> str:
    """text | tools | media | more than the request holds (tools of the server, what is hidden or cannot be read)."""
    read: Request = read_request(request)
    kinds = {block.kind for turn in read.turns for block in turn.blocks}
    hosted = any(not isinstance(tool, Mapping) or tool.get("type", "function") != "function" for tool in read.tools)
    items = request.get("input")
    thoughts = (
        any(isinstance(one, Mapping) and one.get("type") == "reasoning" for one in items or ()) if items else False
    )
    if read.hidden or hosted or thoughts or "opaque" in kinds:
        return "more than the request holds"
    if "media" in kinds:
        return "media"
    return "text and functions" if read.tools or read.form or "call" in kinds else "text"


def bills_table() -> str:
    groups: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for api in FILES:
        for one in recorded(api):
            groups.setdefault((api, one.family, kind_of(one.request)), []).append((one.off, one.billed))
    header = [
        "API",
        "family",
        "requests",
        "bills",
        "exact",
        "within 2",
        "within 1 % + 3",
        "within 3 %",
        "within 15 %",
        "worst",
    ]
    return table(header, ([*key, *_row(rows)] for key, rows in sorted(groups.items())))


def _row(rows: list[tuple[int, int]]) -> list[str]:
    tests = (
        lambda off, billed: off == 0,
        lambda off, billed: abs(off) <= 2,
        lambda off, billed: abs(off) <= 3 + billed / 100,
        lambda off, billed: abs(off) <= 0.03 * billed,
        lambda off, billed: abs(off) <= 0.15 * billed,
    )
    worst = max(rows, key=lambda row: abs(row[0]))
    counts = (str(sum(test(off, billed) for off, billed in rows)) for test in tests)
    return [str(len(rows)), *counts, f"{worst[0]:+,} of {worst[1]:,}"]


def misses_table() -> str:
    """OpenAI's bills of texts and functions that are more than 2 tokens off, and what is known of them."""
    rows = []
    for api in ("chat", "responses"):
        for one in recorded(api):
            kind = kind_of(one.request)
            known = NOTES.get((api, one.model), "")
            if abs(one.off) > 2 and (kind.startswith("text") or (api == "chat" and known)):
                rows.append([api, one.model, kind, f"{one.off:+,} of {one.billed:,}", known or "not explained"])
    return table(["API", "model", "request", "off", "what is known"], rows)


def main() -> None:
    if not ORACLES.is_dir():
        print("The recorded bills are not here (../shared/oracles): there is nothing to compare with.")
        return
    print(bills_table(), end="\n\n")
    print(misses_table(), end="\n\n")
    print(images_table(ORACLES / "images.json"))


if __name__ == "__main__":
    main()
