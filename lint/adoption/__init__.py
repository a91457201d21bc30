"""What lets a project with old findings begin: baselines, budgets, git, suppressions written into files."""
