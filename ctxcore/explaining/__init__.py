"""Why a text is in or out, and what would change it."""
