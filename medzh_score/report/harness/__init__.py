"""Tasks by which the tools of others ask our prompts, and our metrics inside those tools."""
