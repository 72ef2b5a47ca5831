"""What happens as a limit or the window grows: when each item enters and leaves, and the split that keeps most."""
