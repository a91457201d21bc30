"""From bytes to findings: everything that reads code without running it."""
