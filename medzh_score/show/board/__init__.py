"""A board: static pages of many systems on many configs, of which only what changed is written again."""
