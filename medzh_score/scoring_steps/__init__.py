"""The four steps of scoring: read, refuse, compute, describe; a frozen value passes from each to the next."""
