"""What reading hands on: operations for the rules, and a summary of each file for the others."""
