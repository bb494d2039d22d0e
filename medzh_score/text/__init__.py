"""Texts: words, overlap, likeness, masking."""
