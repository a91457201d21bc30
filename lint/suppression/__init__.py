"""Comments that suppress findings: how they are read, judged and placed."""
