"""The results of reading: operations for the rules, and a summary of each file for the others."""
