"""What is said to a user, in the user's language: help, errors and notes. Results are the same in every language."""
