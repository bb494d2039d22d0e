"""From answers to a report: scoring, signature, cautions; and what is made of a report."""
