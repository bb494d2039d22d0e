"""Rounds that ask about single predictions: a second reading of what a rule left unread, and an audit of the rule."""
