"""Running PyTorch code to see what really waits: the only folder that imports torch."""
