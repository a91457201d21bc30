"""Cures: text edits that do what rules offer, made with LibCST on the expression at hand."""
