"""What a provider refuses or misreads in a request."""
