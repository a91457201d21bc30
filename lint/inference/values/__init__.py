"""Values: the lattice, the union, and the results of operators and containers."""
