"""The recipes, one folder per benchmark, and code that several of them share."""
