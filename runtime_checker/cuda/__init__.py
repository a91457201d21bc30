"""The watcher of a CUDA device: every wait of the host, as reported by torch itself."""
