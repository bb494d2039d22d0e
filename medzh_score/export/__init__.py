"""Results as other tools and hubs read them, and tasks by which those tools ask our prompts."""
