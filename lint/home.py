"""Where the project is at home: the one place in the code for its owner and its addresses.

Documents and manifests cannot import it: `python tests/docs/generate.py` writes it into them, and a test fails where
anything spells another. `docs/releasing.md` says what else changes with the owner.
"""

OWNER = "synclint"
HOME = f"https://github.com/{OWNER}/synclint"
SITE = f"https://{OWNER}.github.io/synclint/"
