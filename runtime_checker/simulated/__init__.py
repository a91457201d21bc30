"""A CUDA device for machines without one, modelled by us: real values on the CPU, waits where our table says so."""
