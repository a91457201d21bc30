"""The formats of `--output-format`, one per module, whose `render` turns an Outcome into lines."""
