"""How findings are shown: what every format needs, and in `formats` one module for each of them."""
