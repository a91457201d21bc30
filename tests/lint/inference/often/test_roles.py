"""What the names of files and folders tell about how often functions run of which nothing else is known."""

from __future__ import annotations

import pytest
from synclint.lint.finding import Level, Span
from synclint.lint.inference.often.roles import evaluates, prepares_data, role


@pytest.mark.parametrize(
    ("folders", "file", "level"),
    [
        (("metrics",), "fid.py", Level.EVALUATION),
        (("processor",), "demo_offline.py", Level.EVALUATION),
        (("deploy",), "benchmark.py", Level.EVALUATION),
        (("demo", "parts"), "part.py", Level.EVALUATION),
        (("detection_benchmark",), "run.py", Level.EVALUATION),
        (("detection_benchmark", "modeling"), "sampler.py", None),
        ((), "demographics.py", None),
        ((), "evaluated.py", None),
        ((), "medieval.py", None),
    ],
)
def test_files_of_evaluation_are_named_so(folders: tuple[str, ...], file: str, level: Level | None) -> None:
    found = evaluates(folders, file)
    assert (found and found.level) == level


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("predict_noise", None),
        ("generate_summary", None),
    ],
)
def test_what_names_of_functions_tell(name: str, level: Level | None) -> None:
    found, is_firm = role(name, None, [], Span("model.py", 1, 1, 1, 1))
    assert (found and found.level, is_firm) == (level, False)


@pytest.mark.parametrize(
    ("folders", "prepares"),
    [
        (("lib", "transforms"), True),
        (("lib", "transforms", "augmentation", "spatial"), True),
        (("lib", "hf_datasets"), True),
        (("data", "home", "lib", "models", "vision"), False),
        (("lib",), False),
    ],
)
def test_folders_that_prepare_data(folders: tuple[str, ...], prepares: bool) -> None:
    assert prepares_data(folders) is prepares
