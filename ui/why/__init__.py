"""Why a text is in or out: its story, its cures, its marks, and what a change would do before it is made."""
