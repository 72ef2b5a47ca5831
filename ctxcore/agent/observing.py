"""What enters the context of a tool's answer: its fingerprint, then as much as the current sub-task needs (c8, c11)."""

from __future__ import annotations

from dataclasses import dataclass

from ctxcore.agent.adapters import adapt
from ctxcore.agent.fidelity import lost
from ctxcore.agent.manner import Manner
from ctxcore.agent.step import Observation
from ctxcore.retrieving.retrieval import relevances
from ctxcore.services import Compressor, Counter
from ctxcore.stages.compress_observation import CHARS_A_TOKEN, CompressObservation

STRETCH = (1.0, 1.5, 2.0, 3.0)  # of the target length, while numbers of the best hit are missing
RECORD = 80  # characters from which on a line is a hit, and not a field
NEAR = 0.5  # share of the best hit's score from which on another hit counts as well
HITS = 2


@dataclass(frozen=True)
class Observer:
    """Lengths are those of the stage: the article's 200 characters, or 500 for what holds numbers, as tokens."""

    manner: Manner
    stage: CompressObservation
    counter: Counter
    compressor: Compressor

    def observe(self, raw: str, fingerprint: str, goal: str) -> Observation:
        text = adapt(raw) if self.manner.adapts else raw
        short = self._shortened(text, goal) if self.manner.compresses and self.stage.trigger != "never" else text
        said = short if short == text else self.stage.marker + short
        head = f"{fingerprint}\n" if self.manner.recognises else ""
        return Observation(
            raw, head + said, self.counter.count(raw), self.counter.count(head + said), lost(text, short)
        )

    def _shortened(self, text: str, goal: str) -> str:
        chars = self.stage.max_chars if any(c.isdigit() for c in text[:20_000]) else self.stage.plain_chars
        if self.counter.count(text) * CHARS_A_TOKEN <= chars:
            return text
        source = best_hits(text, goal) if self.manner.keeps_facts else text
        short = ""
        for stretch in STRETCH:
            room = int(chars * stretch / CHARS_A_TOKEN)
            short = self.compressor.compress(source, query=goal, max_tokens=room, counter=self.counter, source="tool")
            if not self.manner.keeps_facts or not lost(source, short).numbers:
                break
        return short if short and self.counter.count(short) < self.counter.count(text) else text


def best_hits(text: str, goal: str) -> str:
    """Of a list of hits, those that serve the goal best, in their order; a text that is no list stays whole."""
    hits = [line for line in text.split("\n") if len(line) >= RECORD]
    if len(hits) <= HITS:
        return text
    scores = relevances(goal, tuple(hits))
    ranked = sorted(range(len(hits)), key=lambda at: -scores[at])[:HITS]
    chosen = sorted(at for at in ranked if scores[at] >= NEAR)
    return "\n".join(hits[at] for at in chosen) or text
