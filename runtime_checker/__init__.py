"""Code that runs PyTorch to see what really waits: the only folder that imports torch."""
