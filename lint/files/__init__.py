"""Files as bytes and text: which may be read, how they are parsed, and how they are replaced."""
