"""Everything that draws, and what a page needs to draw: state, words, store. Imports ctxcore, is imported by pages."""
