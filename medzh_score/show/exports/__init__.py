"""Results in the forms of others: cards and result files of a hub, Every Eval Ever, scores for inspect."""
