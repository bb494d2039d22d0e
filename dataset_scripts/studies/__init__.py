"""Studies that a paper made by hand: sheets that go out to people and come back as a table, one module a config."""
