"""One module a config: what it declares to be scored."""
