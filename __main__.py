"""`python -m synclint` is the command `synclint`."""

from .lint.cli import main

if __name__ == "__main__":
    main()
