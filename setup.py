"""What `pyproject.toml` cannot say: the packages, which lie at the top of the repository, and links for the index."""

import re
import runpy
from pathlib import Path

from setuptools import find_packages, setup

ROOTS = ("lint", "rules", "runtime_checker")
HERE = Path(__file__).parent
HOME = runpy.run_path(str(HERE / "lint/home.py"))["HOME"]
RELATIVE = re.compile(r"(?<=\]\()(?!https?:|#)")

found = find_packages(str(HERE), include=[*ROOTS, *(f"{root}.*" for root in ROOTS)])
readme = (HERE / "README.md").read_text(encoding="utf-8")
setup(
    script_name=Path(__file__).name,  # else it would be taken for a module of the package, beside which it lies
    packages=["synclint", *(f"synclint.{name}" for name in sorted(found))],
    long_description=RELATIVE.sub(f"{HOME}/blob/main/", readme),
    long_description_content_type="text/markdown",
)
