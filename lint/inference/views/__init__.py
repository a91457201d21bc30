"""What rules ask about metrics, data loaders, distributions and modules."""
