"""Statements: loops, branches, patterns, definitions, bodies."""
