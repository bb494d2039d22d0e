"""Releases of builds: changes, versions and publishing on a hub."""
