"""Files that recipes read: tables of others, question banks, and what users bring."""
