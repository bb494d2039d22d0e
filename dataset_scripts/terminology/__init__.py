"""Terminologies that recipes build from."""
