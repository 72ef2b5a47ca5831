"""The same on a few documents, with the local model's own summaries beside ours."""

from __future__ import annotations

import os
from collections.abc import Callable

from bench.compressing.cases import Case, english
from bench.compressing.scores import shown
from bench.compressing.ways import COUNTER, WAYS
from ctxcore.compressing.extractive import Extractive
from ctxcore.compressing.model_compressor import ModelCompressor
from ctxcore.model.endpoint import local_endpoint


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
