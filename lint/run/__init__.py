"""One run over many files: discovery, analysis in worker processes, the cache, linking, and the rules."""
