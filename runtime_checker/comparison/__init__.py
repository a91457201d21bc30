"""The command `compare`: two runs of a program, before and after a change."""
