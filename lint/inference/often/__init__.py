"""How often code runs: regions of a function, conditions, and the roles of functions."""
