"""Tests that drive the real server in a real browser."""
