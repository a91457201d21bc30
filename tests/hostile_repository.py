"""A repository that tries to have something run, read or overwritten: what every test of safety looks at."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

LOOP = "import torch\n\nfor batch in torch.utils.data.DataLoader([1]):\n    batch.cuda().sum().item()\n"
MODULES = (
    "click",
    "packaging",
    "ast",
    "json",
    "re",
    "typing",
    "hashlib",
    "subprocess",
    "tokenize",
    "torch",
    "synclint",
)
SPECIAL = ("conftest", "setup", "sitecustomize", "usercustomize", "noxfile", "tasks", "__main__", "__init__")


def make(folder: Path, sprung: Path) -> None:
    """Make the repository; whatever is run or imported of it makes the file `sprung`."""
    trap = f"open({str(sprung)!r}, 'a').write(__file__)\n"
    folder.mkdir()
    for name in (*MODULES, *SPECIAL):
        (folder / f"{name}.py").write_text(trap + LOOP)
    (folder / "train.py").write_text(
        trap + LOOP + "os.system('touch sprung')  # type: ignore\nexec(__import__('x').y)\n"
    )
    (folder / "evil.pth").write_text(f"import os; open({str(sprung)!r}, 'w')\n")
    (folder / "plugin.egg-info").mkdir()
    (folder / "plugin.egg-info/entry_points.txt").write_text(
        "[synclint]\nevil = click\n[console_scripts]\ngit = click:x\n"
    )
    (folder / "synclint.toml").write_text('exclude = ["left_out"]\n')
    (folder / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "setup"\nbackend-path = ["."]\n'
    )
    (folder / "requirements.txt").write_text("-r /etc/passwd\n--index-url http://localhost:1/\ntorch==2.6\n")
    magics = ["!touch sprung\n", "%run train.py\n", "%%bash\n", "torch.ones(3).cuda().item()"]
    cells = [{"cell_type": "code", "source": [each], "metadata": {}, "outputs": []} for each in magics]
    (folder / "notebook.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    (folder / "coding.py").write_bytes(b"# -*- coding: evil -*-\nimport torch\n")
    (folder / "::error file=x::name.py").write_text("import torch\nx = (\n")
    _program(folder / "git", f"#!/bin/sh\ntouch '{sprung}'\n")
    _links(folder, folder.parent / "outside")
    _repository(folder, sprung)


def _links(folder: Path, outside: Path) -> None:
    """Links where the linter might write or delete."""
    outside.mkdir()
    for number in range(40):
        (outside / f"{number:032x}.json").write_text("[null]")
        (outside / f"{number}.py").write_text("import torch\n")
    (folder / "tree").symlink_to(outside)
    (folder / "loop").symlink_to(folder)
    (folder / "linked.py").symlink_to(outside / "1.py")
    (folder / ".synclint_cache").symlink_to(outside)
    (folder / ".cache").mkdir()
    (folder / ".cache/synclint").symlink_to(outside)


def _repository(folder: Path, sprung: Path) -> None:
    """Commit it all, then set the traps of git that a copied or unpacked repository can have."""
    identity = ("-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false")
    program = shutil.which("git")
    assert program is not None
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "first")):
        subprocess.run([program, *identity, *words], cwd=folder, check=True, capture_output=True)
    (folder / "train.py").write_text((folder / "train.py").read_text() + LOOP)
    (folder / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    trap = folder.parent / "trap.sh"
    _program(trap, f"#!/bin/sh\ntouch '{sprung}'\ncat\n")
    with (folder / ".git/config").open("a") as config:
        config.write(f"[core]\n\tfsmonitor = {trap}\n\tpager = {trap}\n\tsshCommand = {trap}\n\teditor = {trap}\n")
        config.write(f'[filter "evil"]\n\tclean = {trap}\n\tprocess = {trap}\n\tsmudge = {trap}\n\trequired = true\n')
        config.write(f'[diff]\n\texternal = {trap}\n[diff "evil"]\n\tcommand = {trap}\n\ttextconv = {trap}\n')
        config.write(f"[alias]\n\tcat-file = !{trap}\n\tls-tree = !{trap}\n\tdiff = !{trap}\n")
    for name in ("post-index-change", "post-checkout", "pre-commit", "reference-transaction"):
        _program(folder / ".git/hooks" / name, f"#!/bin/sh\ntouch '{sprung}'\n")


def _program(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


def snapshot(*folders: Path) -> dict[str, tuple[int, int, bytes]]:
    """All that stands in folders, with its times, modes and contents; links are not followed."""
    found = {}
    for folder in folders:
        for directory, names, files in os.walk(folder):
            for name in (*names, *files):
                path = Path(directory, name)
                info = path.lstat()
                data = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
                found[str(path)] = (0 if path.is_dir() else info.st_mtime_ns, info.st_mode, data)
    return found


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]))
