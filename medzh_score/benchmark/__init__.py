"""What a config declares, and the values that flow through scoring."""
