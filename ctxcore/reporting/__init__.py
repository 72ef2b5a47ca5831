"""A run on paper: one HTML file that works from disk, and its ledger as Markdown."""
