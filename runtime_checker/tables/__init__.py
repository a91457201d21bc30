"""Generators of the tables in `lint/facts/` that are obtained by running torch and TorchMetrics."""
