"""What libraries do: one table per area, plain literals."""
