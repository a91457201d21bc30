"""Metrics, data loaders, distributions, modules and tensors, in the terms of rules."""
