"""How tables and reports look: at the terminal, in Markdown and in LaTeX."""
