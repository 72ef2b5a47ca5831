"""`python -m bench.guard`: precision and recall for each kind and language, and what was missed or wrongly found."""

from __future__ import annotations

import sys

from bench.guard.measure import FINDERS, labelled, measured, missed, table_of


def show(with_misses: bool = False) -> None:
    lines = labelled()
    print(f"{len(lines)} labelled texts, {sum(len(line.values) for line in lines)} private values in them")
    for title, is_late in (("the set that the detectors were written with", False), ("lines written after them", True)):
        own = [line for line in lines if line.is_late is is_late]
        print(f"\n{title}, {len(own)} texts\n\n{table_of(measured(own, FINDERS))}")
        if with_misses:
            print("\n" + "\n".join(missed(own)))


if __name__ == "__main__":
    show("--misses" in sys.argv)
