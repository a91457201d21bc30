"""Resolves the questions that reading left open, with what other functions and files tell."""
