"""Figures as PNG or SVG, equal byte for byte for equal figures on equal machines."""
