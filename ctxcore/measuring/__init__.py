"""Measuring where in its context a model finds what it was told: needle probes, what they cost, and a fitted curve."""
