"""Limits on what a checked file can make the linter spend: stack and processor time."""
