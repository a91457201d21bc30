"""How the table of torch's signatures is generated."""
