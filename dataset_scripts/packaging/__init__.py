"""What a build consists of: parquet, manifest, card and metadata for other tools, and the schema that they follow."""
