"""The articles' own names, as doors to the one engine."""
