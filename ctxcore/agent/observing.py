"""What enters the context of a tool's answer: its fingerprint first, then as much as the current sub-task needs (c8, c11)."""

from __future__ import annotations

from dataclasses import dataclass

from ctxcore.agent.adapters import adapt
from ctxcore.agent.fidelity import facts_of, lost
from ctxcore.agent.manner import Manner
from ctxcore.agent.step import Observation
from ctxcore.sentences import sentences
from ctxcore.services import Compressor, Counter
from ctxcore.stages.compress_observation import CompressObservation
from ctxcore.terms import terms

STRETCH = (1.0, 1.5, 2.0, 3.0)  # of the target length, while numbers that the sub-task asks for are missing
ASKED = 1 / 3  # share of the sub-task's terms from which on a sentence is about it


@dataclass(frozen=True)
class Observer:
    """Lengths are those of the stage, in characters: the article's 200, or 500 for what holds numbers."""

    manner: Manner
    stage: CompressObservation
    counter: Counter
    compressor: Compressor

    def observe(self, raw: str, fingerprint: str, goal: str) -> Observation:
        text = adapt(raw) if self.manner.adapts else raw
        short = self._shortened(text, goal) if self.manner.compresses and self.stage.trigger != "never" else text
        said = short if short == text else self.stage.marker + short
        head = f"{fingerprint}\n" if self.manner.recognises else ""
        return Observation(raw, head + said, self.counter.count(raw), self.counter.count(head + said), lost(text, short))

    def _shortened(self, text: str, goal: str) -> str:
        chars = self.stage.max_chars if any(c.isdigit() for c in text[:20_000]) else self.stage.plain_chars
        if len(text) <= chars:
            return text
        wanted = self._wanted(text, goal) if self.manner.keeps_facts else frozenset()
        each = self.counter.count(text) / len(text)  # tokens of a character: one number serves English and Chinese
        short = ""
        for stretch in STRETCH:
            room = max(1, int(chars * stretch * each))
            short = self.compressor.compress(text, query=goal, max_tokens=room, counter=self.counter)
            if wanted <= set(facts_of(short).numbers):
                break
        return short if short and self.counter.count(short) < self.counter.count(text) else text

    def _wanted(self, text: str, goal: str) -> frozenset[str]:
        """The numbers in the sentences that are about the sub-task."""
        asked = set(terms(goal))
        about = [one for one in sentences(text) if asked and len(asked & set(terms(one))) >= ASKED * len(asked)]
        return frozenset(number for one in about for number in facts_of(one).numbers)
