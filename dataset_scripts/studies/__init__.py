"""Studies that any config has, whatever its paper made by hand."""
