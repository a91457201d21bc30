"""The command `run`: a user's program, watched, and joined with what the linter says of it."""
