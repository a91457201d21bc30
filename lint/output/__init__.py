"""How findings are shown: what every format needs, and one module per format in `formats`."""
