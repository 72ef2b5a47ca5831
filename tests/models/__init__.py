"""Tests of what talks to models: with a real one, and with servers on a bad day."""
