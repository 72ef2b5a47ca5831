"""The same on texts that are short enough for the local model, with its own summaries beside ours."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from bench.compressing.cases import Case, english, tool_results
from bench.compressing.scores import shown
from bench.compressing.ways import COUNTER, WAYS
from ctxcore.compressing.extractive import Extractive
from ctxcore.compressing.model_compressor import ModelCompressor
from ctxcore.model.endpoint import local_endpoint

LEAST, MOST = 600, 2_000  # tokens of a text: the smallest model reads no more with care


def beside_a_model(say: Callable[[str], object], count: int = 30) -> None:
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

    for name, cases in (
        ("English documents", _short(english(2), count)),
        ("tool results", _short(tool_results(), count)),
    ):
        refused.clear()
        ways = {**WAYS, f"{endpoint.name}, as it answers": raw, f"{endpoint.name}, judged by the audit": checked}
        say(shown(f"{len(cases)} short {name}, 20 %", cases, ways, 0.2))
        say(f"Of {len(cases)} summaries the audit refused {len(refused)}: {_counted(refused)}.\n")


def _short(cases: Iterable[Case], count: int) -> list[Case]:
    return [case for case in cases if LEAST < COUNTER.count(case.text) < MOST][:count]


def _counted(rules: list[str]) -> str:
    return ", ".join(f"{rule} {rules.count(rule)}" for rule in sorted(set(rules))) or "none"
