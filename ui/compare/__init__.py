"""The page Compare: two sides of the same sources, what flipped between them, and questions asked of both."""
