"""The page Tune: one axis, the best split, many scenarios, presets, and every build over time."""
