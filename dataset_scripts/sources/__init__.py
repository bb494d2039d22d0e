"""Upstream files: registry, download and verification."""
