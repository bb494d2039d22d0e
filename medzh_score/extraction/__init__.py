"""How texts become answers: one engine with five kinds of answers, and what configs read on it."""
