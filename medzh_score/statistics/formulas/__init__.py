"""The formulas of metrics."""
