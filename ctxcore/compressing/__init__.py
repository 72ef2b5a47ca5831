"""Shorter texts: extracts, digests, and summaries by a model."""
