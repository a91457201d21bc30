"""The command `trace`: joins a profiler's trace of a real run with what the linter reports."""
