"""Figures as PNG, SVG or PDF, equal byte for byte for equal figures on equal machines."""
