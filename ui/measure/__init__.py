"""The page Measure: needle probes planned, asked, kept, and drawn as a curve."""
