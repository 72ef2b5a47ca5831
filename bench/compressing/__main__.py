"""`python -m bench.compressing`: the tables. `--model` asks the local model of `make model` too (minutes).

Documents, questions and results are read from ../shared and are not part of this repository.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from statistics import mean

from bench.compressing.alarms import HEAD, alarms, paragraphs
from bench.compressing.beside_a_model import beside_a_model
from bench.compressing.cases import SHARED, chinese, english, tool_results
from bench.compressing.scores import shown
from bench.compressing.ways import COUNTER, WAYS, lossless
from bench.report import table
from ctxcore.compressing.structure import folded


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
