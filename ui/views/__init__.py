"""The views of one stage: each draws one reading of the trace, and returns the item that was picked just now."""
