"""Expressions: operators, displays, comprehensions, lambdas, calls."""
