"""How reports, checks and comparisons look: as text, Markdown, LaTeX and CSV; and figures."""
