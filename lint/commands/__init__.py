"""The commands: a module is one, by its own name, and holds a click command `command`."""
