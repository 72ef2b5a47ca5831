"""The view Layout: which curve, which importance, and what another order would gain."""
