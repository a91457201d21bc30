"""The watcher of a CUDA device: every wait, as reported by torch itself."""
