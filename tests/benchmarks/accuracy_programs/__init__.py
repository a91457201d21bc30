"""The programs of the accuracy benchmark: what they are, how their arguments are found, how they are run.

One module per package, named after it, with a function `programs()`.
"""
