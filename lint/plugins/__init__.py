"""Plugins: rules and facts that other installed distributions bring."""
