"""Facts about libraries: one table per area, as plain literals."""
