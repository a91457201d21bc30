"""Chains across files, circles and diamonds, small: what is at their end is found, by one process as by many.

`tests/benchmarks/stress.py` has the shapes, and measures them large.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

Synclint = Callable[..., str]
SIZE = 60


def _stress() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks/stress.py"
    spec = importlib.util.spec_from_file_location("stress", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STRESS = _stress()


@pytest.mark.parametrize("shape", STRESS.SHAPES)
def test_odd_programs(here: Path, synclint: Synclint, shape: str) -> None:
    place = STRESS.write(here / "program", STRESS.SHAPES[shape](SIZE))
    base = ("--base", str(place))
    synclint("summarize", "@files", *base, "--names", "names", "-o", "all.summary")
    synclint("link", "all.summary", *base, "--open-world", "-o", "found")
    found = json.loads(synclint("merge", "found", *base, "--output-format", "json", code=1))
    checked = json.loads(synclint("check", str(place), "--no-cache", "--output-format", "json", code=1))
    assert [(row["code"], row["location"]) for row in found] == [(row["code"], row["location"]) for row in checked]
    assert {row["code"] for row in found} & {"SYNC101", "SYNC105"}
