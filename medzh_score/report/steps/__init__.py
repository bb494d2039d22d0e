"""The four steps of scoring: read, refuse, compute, describe."""
