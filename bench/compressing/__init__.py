"""What each way to shorten keeps, on documents, on tools' results, and beside a model; and how well the audit sees."""
