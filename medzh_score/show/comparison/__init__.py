"""A comparison for people and for a paper: tables, captions, methods, and rows for other tools."""
