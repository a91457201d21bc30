"""SARIF, held to the schema of OASIS and to the limits of GitHub code scanning."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from synclint.lint.finding import Confidence, Finding, Frequency, Kind, Level, Reason, Severity, Span
from synclint.lint.output.formats import sarif
from synclint.lint.run.file import Failure

Make = Callable[..., Finding]
Run = Callable[..., dict[str, Any]]


@pytest.fixture
def run(rendered: Callable[..., list[str]], is_valid: Callable[[object, str], None]) -> Run:
    """The one run of a valid log."""

    def parse(*findings: Finding, check: bool = True, **more: Any) -> dict[str, Any]:
        (line,) = rendered("sarif", *findings, **more)
        log = json.loads(line)
        if check:
            is_valid(log, "sarif-2.1.0")
        (found,) = log["runs"]
        return dict(found)

    return parse


def test_a_result(finding: Make, run: Run) -> None:
    found = run(finding(scope="Trainer.fit"))
    (result,) = found["results"]
    assert found["columnKind"] == "unicodeCodePoints"
    assert result["level"] == "error"
    assert result["message"] == {"text": "`loss.item()` waits for the device"}
    assert result["partialFingerprints"] == {"synclintFingerprint/v1": finding(scope="Trainer.fit").fingerprint}
    assert result["properties"] == {
        "confidence": "certain",
        "frequency": "every step",
        "per": "",
        "frequencyAssumed": False,
        "conditions": [],
        "cause": "",
    }
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "train.py", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 16},
            },
            "logicalLocations": [{"fullyQualifiedName": "Trainer.fit"}],
        }
    ]
    assert list(found["originalUriBaseIds"]) == ["%SRCROOT%"]


def test_the_chain_of_reasons(finding: Make, run: Run) -> None:
    (result,) = run(finding())["results"]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    places = [
        (
            step["location"]["physicalLocation"]["artifactLocation"]["uri"],
            step["location"]["physicalLocation"]["region"]["startLine"],
            step["location"]["message"]["text"],
        )
        for step in steps
    ]
    assert places == [
        ("model.py", 7, "`model` moved to the GPU"),
        ("train.py", 2, "a tensor by its use"),
        ("train.py", 1, "the loop iterates a DataLoader"),
        ("train.py", 2, "`loss.item()` waits for the device"),
    ]
    (alone,) = run(finding(reasons=(), frequency=Frequency(Level.UNKNOWN)))["results"]
    assert "codeFlows" not in alone


def test_a_rule_has_its_page(finding: Make, run: Run) -> None:
    findings = [finding(code="SYNC104", name="tensor-truth-value"), finding(), finding()]
    found = run(*findings)
    rules = found["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["SYNC101", "SYNC104"]
    assert [rules[result["ruleIndex"]]["id"] for result in found["results"]] == [each.code for each in findings]
    first = rules[0]
    assert first["helpUri"].endswith("/item-call.md")
    assert first["help"]["markdown"].startswith(first["help"]["text"])
    assert first["shortDescription"]["text"] in first["help"]["text"].replace("\n", " ")
    assert all(len(rule["fullDescription"]["text"]) <= 1024 for rule in rules)


def test_equal_findings_are_told_apart(finding: Make, run: Run) -> None:
    names = [each["partialFingerprints"]["synclintFingerprint/v1"] for each in run(finding(), finding())["results"]]
    assert names == [finding().fingerprint, f"{finding().fingerprint}-2"]


@pytest.mark.parametrize(
    ("confidences", "kind", "precision"),
    [
        ([Confidence.CERTAIN], Kind.STALL, "high"),
        ([Confidence.CERTAIN, Confidence.LIKELY], Kind.STALL, "medium"),
        ([Confidence.POSSIBLE, Confidence.CERTAIN], Kind.BUG, "low"),
        ([Confidence.CERTAIN], Kind.META, "very-high"),
    ],
)
def test_precision_is_that_of_the_least_certain(
    finding: Make, run: Run, confidences: list[Confidence], kind: Kind, precision: str
) -> None:
    found = run(*(finding(confidence=each, kind=kind) for each in confidences))
    assert [rule["properties"]["precision"] for rule in found["tool"]["driver"]["rules"]] == [precision]


def test_uris(finding: Make, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["a b/日%23#?.py", "./x.py", str(tmp_path / "c.py"), "\udc80:1.py", "<stdin>"]
    where = [
        each["locations"][0]["physicalLocation"]["artifactLocation"]
        for each in run(*(finding(span=Span(name, 1, 1, 1, 1)) for name in names))["results"]
    ]
    assert all(each["uriBaseId"] == "%SRCROOT%" for each in where)
    assert [each["uri"] for each in where] == [
        "a%20b/%E6%97%A5%2523%23%3F.py", "x.py", "c.py", "%80%3A1.py", "%3Cstdin%3E",
    ]  # fmt: skip
    (outside,) = run(finding(span=Span(str(tmp_path.parent / "d e.py"), 1, 1, 1, 1)))["results"]
    artifact = outside["locations"][0]["physicalLocation"]["artifactLocation"]
    assert unquote_to_bytes(artifact["uri"]).decode() == f"file://{tmp_path.parent}/d e.py"
    assert "uriBaseId" not in artifact


def test_the_limit_on_results(finding: Make, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_RESULTS", 3)
    notes = [finding(span=Span("a.py", row, 1, row, 2), severity=Severity.NOTE) for row in range(1, 4)]
    errors = [finding(span=Span("b.py", row, 1, row, 2)) for row in range(1, 3)]
    found = run(*notes, *errors)
    assert [each["level"] for each in found["results"]] == ["note", "error", "error"]
    (notification,) = found["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"] == "2 findings are omitted: only the 3 most important ones are shown"
    assert found["invocations"][0]["executionSuccessful"] is True


def test_the_limit_on_steps(finding: Make, run: Run) -> None:
    reasons = tuple(Reason(str(number), Span("a.py", 1, 1, 1, 2)) for number in range(sarif.MOST_FLOW_STEPS + 5))
    found = run(finding(reasons=reasons))
    steps = found["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert len(steps) == sarif.MOST_FLOW_STEPS
    assert steps[-1]["location"]["message"]["text"] == finding().message
    assert (
        "truncated to their last 1000 steps"
        in found["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    )


def test_an_error_of_our_own(finding: Make, run: Run) -> None:
    (invocation,) = run(failures=[Failure("a b.py", "linking", "KeyError: 'x'", "")])["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["level"] == "error"
    assert notification["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.py"


def test_code_that_looks_like_a_link_is_none(finding: Make, run: Run) -> None:
    (result,) = run(finding(message="`fs[0](1)` waits"))["results"]
    assert result["message"]["text"] == "`fs[0] (1)` waits"
