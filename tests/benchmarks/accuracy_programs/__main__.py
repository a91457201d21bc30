"""Brings the emulated device into the process before anything imports torch, and runs the programs of a package."""

import sys

from synclint.runtime_checker.emulated.load import load

if __name__ == "__main__":
    package, path, device = sys.argv[1:]
    if device == "emulated":
        load()
    from .execute import execute

    execute(package, path, device)
