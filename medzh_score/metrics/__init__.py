"""Statistics and formulas, one module a config; the formulas that several share stand in `ratio`."""
