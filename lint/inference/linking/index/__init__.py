"""The names of all files: which function, class or call is where, and who has asked for it."""
