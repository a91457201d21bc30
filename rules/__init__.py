"""The rules: one file per rule, documented by its docstring."""
