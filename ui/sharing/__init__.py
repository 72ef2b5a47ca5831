"""What is handed to colleagues: a link to this view, a report, the ledger."""
