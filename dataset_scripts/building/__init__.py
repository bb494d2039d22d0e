"""From the recipe of a config to a verified build folder that is put in place in one step."""
