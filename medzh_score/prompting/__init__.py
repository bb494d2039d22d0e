"""Prompts: written, read back as they were sent, and found again by their ids or positions."""
