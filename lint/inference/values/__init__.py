"""What a value can be: the lattice, the union, and what operators and containers make of values."""
