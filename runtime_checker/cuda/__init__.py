"""The watcher of a CUDA device: every wait of the host, told by torch itself."""
