"""Talking to a model: any OpenAI-compatible endpoint, and every way in which it fails."""
