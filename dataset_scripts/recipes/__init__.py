"""One module a config: what can be built, and how."""
