"""The sidebar: system, window, limits, guardrail, models."""
