"""Answers the questions that one file leaves open, from the summaries of all files."""
