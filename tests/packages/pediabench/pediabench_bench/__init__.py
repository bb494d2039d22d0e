"""pediabench, a benchmark of our own."""
