"""Which versions a setting or a requirement allows."""

from __future__ import annotations

import pytest
from synclint.lint.settings.versions import ANY, Range, Versions, allowed, demanded, required


def may_be(text: str, since: str = "", until: str = "") -> bool:
    return Versions({"torch": allowed(text)}).may_be("torch", since, until)


def test_an_unknown_library_may_have_any_version() -> None:
    assert Versions().may_be("torch", until="2.0")
    assert Versions().may_be("torch", since="99")


@pytest.mark.parametrize(
    ("text", "since", "until", "expected"),
    [
        ("2.6", "2.6", "", True),
        ("2.6", "2.7", "", False),
        ("2.6", "", "2.6", False),
        ("2.6", "2.6.5", "", True),
        ("2.6.1", "2.6.2", "", False),
        ("2.6.1", "", "2.6.1", False),
        ("2.6.1", "", "2.6.2", True),
        ("2", "2.9", "", True),
        (">=2.4,<2.9", "2.9", "", False),
        (">=2.4,<2.9", "2.8", "", True),
        (">=2.4,<2.9", "", "2.4", False),
        (">2.6", "", "2.6", False),
        ("<=2.6", "2.6", "", True),
        ("<=2.6", "2.6.1", "", False),
        ("~=2.4", "2.9", "", True),
        ("~=2.4", "3.0", "", False),
        ("~=2.4.1", "2.5", "", False),
        ("==2.4.*", "2.5", "", False),
        ("!=2.4", "2.4", "", True),
        ("==2.13.0+cpu", "2.13", "2.13.1", True),
        ("2.10", "2.9", "", True),
        ("2.6.0+cu124", "2.6.1", "", False),
        ("2.6.0+cu124", "2.6", "2.6.1", True),
        ("2.6.0rc1", "", "2.6", False),
        (">=2.4.0a0,!=2.5", "2.5", "", True),
    ],
)
def test_ranges(text: str, since: str, until: str, expected: bool) -> None:
    assert may_be(text, since, until) is expected


@pytest.mark.parametrize("text", ["new", "2.x", ">=two", "2.6 or so", "=2"])
def test_what_is_no_version(text: str) -> None:
    with pytest.raises(ValueError, match="is not a version"):
        allowed(text)


def test_requirements() -> None:
    found = required(
        [
            "torch >=2.4, <2.9 ; python_version < '3.12'",
            "TorchMetrics[image]==1.6.1  # because",
            "pytorch-lightning>=2",
            "torchvision @ file:///tmp/torchvision.whl",
            "-r other.txt",
            "# transformers==1",
            "numpy<2",
            "",
        ]
    )
    assert {name: demanded(lines) for name, lines in found.items()} == {
        "torch": allowed(">=2.4,<2.9"),
        "lightning": allowed(">=2"),
        "torchvision": ANY,
        "torchmetrics": allowed("==1.6.1"),
    }


@pytest.mark.parametrize(
    "line",
    [
        "torch==2.6.0+cu124 \\",
        "torch==2.6.0 --hash=sha256:0123 --hash=sha256:4567",
        "torch == 2.6.0  # pinned",
        "torch[opt] (==2.6.0) ; python_version >= '3.10' --hash=sha256:0123",
    ],
)
def test_a_line_as_pip_reads_it(line: str) -> None:
    assert demanded(required([line])["torch"]) == allowed("2.6.0")


def test_a_line_that_nobody_can_read_allows_all() -> None:
    assert demanded(required(["torch===???", "torch==" + "9" * 5000])["torch"]) == ANY


def test_a_library_named_twice_may_have_either() -> None:
    assert demanded(["torch==2.4.0", "torch==2.6.0"]) == Range(allowed("==2.4.0").first, allowed("==2.6.0").last)


def test_a_line_that_is_repeated_counts_once() -> None:
    """Reading one is slow, and a hostile file may have a hundred thousand."""
    assert required(["torch>=1.0", "torch >= 2"] * 50_000) == {"torch": ("torch>=1.0", "torch >= 2")}
