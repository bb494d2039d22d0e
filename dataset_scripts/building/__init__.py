"""From the recipe of a config to a build folder that is whole, checked and swapped in."""
