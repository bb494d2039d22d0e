"""The Chinese of what medzh-build says."""
