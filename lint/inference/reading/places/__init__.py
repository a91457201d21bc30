"""Names, attributes and items: what is read there, and bound to them."""
