"""One run over many machines: summaries of files, links of whole programs from them, and their findings merged."""
