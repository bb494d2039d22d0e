"""Banks of examination questions that recipes of several benchmarks read."""
