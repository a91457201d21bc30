"""How findings are shown: one module per format, each with a function `render`."""
