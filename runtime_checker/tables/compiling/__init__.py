"""What `torch.compile` makes of each kind of wait, by running it."""
