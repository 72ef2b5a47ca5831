"""The page Knowledge: documents taken in, cut, searched, measured."""
