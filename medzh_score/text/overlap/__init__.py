"""How much of a reference stands in a prediction: integer counts of pairs of texts, and the scores made of them."""
