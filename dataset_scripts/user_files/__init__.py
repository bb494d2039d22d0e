"""A user's own file for a config: JSON Lines, CSV or XLSX in the columns of the config's schema."""
