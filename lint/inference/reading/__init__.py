"""Reads one file on abstract values, as the interpreter would run it."""
