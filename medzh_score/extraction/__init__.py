"""How texts become answers: one module a config and rule."""
