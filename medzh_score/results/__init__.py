"""What scoring leaves behind: the report, the folder that holds it, and how its numbers are printed."""
