"""What goes in: scenarios opened, imported, edited, and what is remembered of a user."""
