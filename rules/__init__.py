"""The rules: one file each; its docstring is its documentation."""
