"""Helps a project with existing findings to start: baselines, budgets, git, suppressions written into files."""
