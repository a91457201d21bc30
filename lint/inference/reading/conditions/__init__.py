"""What a test tells about its names, and how often its branches run."""
