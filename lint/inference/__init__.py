"""What each expression is, where it lives, how often it runs."""
