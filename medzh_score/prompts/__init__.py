"""The prompts of each config, and how they are written out for the tools that send them."""
