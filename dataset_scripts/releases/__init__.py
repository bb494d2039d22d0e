"""Published versions of what was built: what changed, which version that needs, and how it gets to a hub."""
