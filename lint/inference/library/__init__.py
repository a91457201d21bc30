"""What the functions, objects and attributes of libraries give, told by `lint/facts/`."""
