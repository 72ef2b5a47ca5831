"""Payloads in the shapes of providers, as a scenario file, and as Python that builds them again."""
