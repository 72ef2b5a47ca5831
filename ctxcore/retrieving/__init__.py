"""Which texts answer a question: words, scores."""
