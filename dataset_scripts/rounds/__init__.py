"""The rounds of a build: what a recipe asks models and people, and what they answered."""
