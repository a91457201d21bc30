"""Calls that put what the facts say to the test on the device at hand."""
