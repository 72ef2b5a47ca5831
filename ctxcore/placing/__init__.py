"""Where things lie in a payload, and what that does to their being recalled."""
