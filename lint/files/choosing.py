"""The files beside the code that may say by name what it runs: settings, scripts of a shell, and instructions."""

from __future__ import annotations

from typing import Final

CHOOSING: Final = (
    ".bash",
    ".bat",
    ".cfg",
    ".conf",
    ".gin",
    ".ini",
    ".json",
    ".jsonnet",
    ".kv",
    ".md",
    ".ps1",
    ".rst",
    ".sh",
    ".slurm",
    ".toml",
    ".xml",
    ".yaml",
    ".yml",
)
"""Ends of the names of such files."""
INSTRUCTIONS: Final = (".md", ".rst")
"""Those of files that are written for people."""
LARGEST_CHOOSING: Final = 64 << 10
"""The size in bytes from which on a file holds data rather than choices."""


def is_choosing(filename: str) -> bool:
    """Whether a file is no code, but may choose what code runs."""
    return filename.endswith(CHOOSING)
