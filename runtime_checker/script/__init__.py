"""The command `run`: watches a user's program and joins the result with what the linter reports."""
