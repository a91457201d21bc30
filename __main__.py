"""`python -m synclint` is the command `synclint`.

Python puts the current directory first on the module search path. It is taken out before anything is imported: a
checked project's `click.py` is not the module. Only what Python itself imports before this line cannot be helped; the
command `synclint` and `python -P -m synclint` never search there.
"""

import os
import sys

if not getattr(sys.flags, "safe_path", False) and sys.path and __spec__ is not None:
    _HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if os.path.realpath(sys.path[0]) == os.path.realpath(os.getcwd()) != os.path.realpath(_HERE):
        del sys.path[0]

from .lint.cli import main

if __name__ == "__main__":
    main()
