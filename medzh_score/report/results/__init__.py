"""Result folders: what a scoring run leaves behind for everything that comes after it."""
