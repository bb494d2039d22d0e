"""From result folders to a comparison: which may be compared, on which units, and what is found."""
