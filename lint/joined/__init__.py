"""Joins what `check` finds with what recorded runs have seen."""
