"""Other linters, where they are installed, on the same files as synclint."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from costs import Command

NAMES: Final = ("flake8", "torchfix", "fixit", "libcst", "ruff")
_ASK: Final = """
import importlib.metadata, json
found = {}
for name in %r:
    try:
        found[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
"""


@dataclass(frozen=True)
class Environment:
    """A Python, and the versions of what is installed there of the linters and what they are made of."""

    python: str
    versions: dict[str, str]

    @classmethod
    def of(cls, python: str) -> Environment:
        """What is installed for a Python. Raises SystemExit where it does not start."""
        try:
            asked = subprocess.run([python, "-c", _ASK % (NAMES,)], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise SystemExit(f"{python}: {error}") from error
        return cls(python, json.loads(asked.stdout))

    def commands(self, names: Sequence[str]) -> Iterator[tuple[str, Command]]:
        """The linters that are there, with their versions. Their own exit codes only say that they found something."""
        if "flake8" in self.versions:
            plugin = f" with TorchFix {self.versions['torchfix']}" if "torchfix" in self.versions else ""
            words = ["flake8", "--isolated", "--jobs", "1", "--exit-zero", "-qq", *names]
            yield f"flake8 {self.versions['flake8']}{plugin}", self._command(words)
        if "torchfix" in self.versions:
            words = ["torchfix", "--jobs", "1", *names]
            yield f"TorchFix {self.versions['torchfix']} ({self._libcst})", self._command(words)
        if "fixit" in self.versions:
            yield f"Fixit {self.versions['fixit']} ({self._libcst})", self._command(["fixit", "lint", *names])

    @property
    def _libcst(self) -> str:
        return f"LibCST {self.versions.get('libcst', '?')}"

    def _command(self, words: Sequence[str]) -> Command:
        return Command([self.python, "-m", *words], codes=range(8))


def commands_of(pythons: Sequence[str], names: Sequence[str]) -> dict[str, Command]:
    """All linters of some Pythons; those that none of them has are named on standard error."""
    environments = [Environment.of(python) for python in pythons]
    for missing in ("flake8", "torchfix", "fixit"):
        if not any(missing in each.versions for each in environments):
            print(f"{missing} is not installed (pip install {missing}, see --others): left out", file=sys.stderr)
    return dict(pair for each in environments for pair in each.commands(names))
