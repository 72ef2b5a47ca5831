"""What a user has set and changed: kept over pages and restarts, shown in the address, held against a baseline."""
