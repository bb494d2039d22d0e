"""From the files that users have to predictions: one module a format."""
