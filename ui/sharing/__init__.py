"""What is handed to colleagues, as a link and as files; the room of each page says what that is of it."""
