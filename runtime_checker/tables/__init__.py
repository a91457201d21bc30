"""Generators of the tables in `lint/facts/` that are made by running torch and TorchMetrics."""
