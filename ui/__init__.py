"""Everything that draws, and what a page needs to draw: state, words, store. Imports ctxcore, is imported by pages."""

from pathlib import Path

from ctxcore.words import also_from

also_from(Path(__file__).with_name("words") / "errors.json")
