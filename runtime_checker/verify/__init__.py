"""The command `verify`: the examples of the rules, run on the device at hand."""
