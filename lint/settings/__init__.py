"""What a user configures: keys, rule selection, library versions, and which settings hold where."""
