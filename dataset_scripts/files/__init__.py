"""Files of any origin: their formats, encodings, digests and locks."""
