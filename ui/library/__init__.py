"""Everything that is kept under a name: listed, found, described, opened, thrown away, taken along, brought in."""
