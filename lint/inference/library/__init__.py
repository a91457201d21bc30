"""The results of libraries' functions, objects and attributes, according to `lint/facts/`."""
