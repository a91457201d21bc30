"""The user's settings: keys, rule selection, library versions, and which settings hold where."""
