"""How CMHE-DD reads texts, beside what all configs read by; signed with our rule."""
