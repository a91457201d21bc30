"""How often functions run, by who calls them."""
