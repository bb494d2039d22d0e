"""Readers of upstream tables, question banks and files of users."""
