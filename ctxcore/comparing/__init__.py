"""Two builds side by side: what became of each item, which settings differ, and what the texts say differently."""
