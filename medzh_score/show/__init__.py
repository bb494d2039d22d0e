"""How reports and checks look: at the terminal, in Markdown and in LaTeX; and figures."""
