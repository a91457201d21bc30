"""A CUDA device for machines that have none, modelled by us: real values on the CPU, waits where our table says so."""
