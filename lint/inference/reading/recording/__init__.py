"""What the rules and linking will see: conversions, copies, calls, functions handed on, evidence."""
