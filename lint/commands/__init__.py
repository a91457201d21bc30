"""The commands: each module is one, by its own name, and defines a click command `command`."""
