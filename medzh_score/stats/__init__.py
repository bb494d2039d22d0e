"""From sums to values with intervals."""
