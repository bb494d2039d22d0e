"""Sending prompts to a server of the user's, and keeping each answer as it comes: all that opens a connection."""
