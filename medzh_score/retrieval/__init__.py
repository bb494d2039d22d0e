"""How texts that are like another are found: tokens, and weights by BM25."""
