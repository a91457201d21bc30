"""What a project's commands and settings files set."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from synclint.lint.limits import DEEPEST_SETTINGS, LARGEST_OF_OPTIONS
from synclint.lint.settings.files import find_settings
from synclint.lint.settings.options_set import OptionsSet, options_set


def test_flags_of_commands(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("Run `python train.py --no-clip --epochs=3 -v`, not a--b.\n")
    (tmp_path / "run.sh").write_text("python train.py --amp \\\n  --lr 0.1\n")
    assert options_set(tmp_path) == OptionsSet(frozenset(("no_clip", "epochs", "amp", "lr")), {})


def test_constants_of_settings_files(tmp_path: Path) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "a.yaml").write_text(
        "train:\n  amp: true  # faster\n  debug: False\n  every: 1\n- scale: 0.5\nname: 'net'\nsizes: [1, 2]\nnone: ~\n"
    )
    (tmp_path / "configs" / "b.json").write_text('{\n  "amp": false,\n  "lr": -1e-3\n}\n')
    assert options_set(tmp_path).values == {
        "amp": (True, False), "debug": (False,), "every": (1,), "lr": (-0.001,), "name": ("net",), "none": (None,),
        "scale": (0.5,),
    }  # fmt: skip


def test_what_says_nothing(tmp_path: Path) -> None:
    for name in (".venv", "node_modules"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.sh").write_text("--a")
    (tmp_path / "large.yaml").write_text("a: 1\n" * LARGEST_OF_OPTIONS)
    os.mkfifo(tmp_path / "pipe.sh")
    deep = tmp_path.joinpath(*"abcdefg"[: DEEPEST_SETTINGS + 1])
    deep.mkdir(parents=True)
    (deep / "run.sh").write_text("--a")
    assert options_set(tmp_path) == OptionsSet()


@pytest.mark.parametrize(("mark", "flags"), [("requirements.txt", {"amp"}), ("notes", set())])
def test_only_those_of_a_project_count(tmp_path: Path, mark: str, flags: set[str]) -> None:
    (tmp_path / mark).touch()
    (tmp_path / "run.sh").write_text("--amp")
    assert find_settings(tmp_path).options_set.flags == flags
