"""Evidence of recorded runs: its data, its one reader and writer, and what becomes of findings by it."""
