"""The command `verify`: runs the examples of the rules on the device at hand."""
