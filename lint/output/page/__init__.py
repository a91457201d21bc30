"""Pages for a browser: each is one file, which loads nothing."""
