"""The folder in which results are kept between runs, signed and encoded."""
