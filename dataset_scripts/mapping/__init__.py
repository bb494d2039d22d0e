"""A user's own files: the interchange form, and the mapping file that brings any other form into it."""
