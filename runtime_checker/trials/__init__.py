"""Calls that test the facts on the device at hand."""
