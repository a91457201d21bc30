"""The formats of `--output-format`: each module's `render` turns an Outcome into lines. A file here is a format."""
