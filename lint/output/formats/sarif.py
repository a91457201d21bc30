"""SARIF 2.1.0 with the chain of reasons as code flows, within the limits of GitHub code scanning.

Sources: the OASIS standard (sections in comments) and docs.github.com, "SARIF support for code scanning".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from .... import __version__
from ...finding import Confidence, Finding, Kind, Severity, Span
from ...home import HOME
from ...limits import LONGEST_DESCRIPTION, MOST_FLOW_STEPS, MOST_RESULTS
from ...offers import Fix
from ...plugins.known import loaded_rules
from ...rule import Rule
from ..locations import relative, root, uri
from ..outcome import Outcome
from ..ranking import fingerprinted, most_telling_first
from ..rows import dumps
from ..text import escape

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT: Final = "%SRCROOT%"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_PRECISIONS: Final = {Confidence.CERTAIN: "high", Confidence.LIKELY: "medium", Confidence.POSSIBLE: "low"}
_TAGS: Final = {Kind.STALL: "performance", Kind.SETUP: "performance", Kind.BUG: "correctness"}


def render(outcome: Outcome) -> Iterator[str]:
    """Yield the log on one line; it contains all findings, notes included, and its readers filter by level."""
    yield dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [_Run(outcome).log()]})


class _Run:
    """One run of the linter."""

    def __init__(self, outcome: Outcome) -> None:
        kept = {id(each) for each in most_telling_first(outcome.findings)[:MOST_RESULTS]}
        self.outcome = outcome
        self.root = root()
        named = fingerprinted(outcome.findings, self.root)
        self.named = [(each, name) for each, name in named if id(each) in kept]
        self.codes = sorted({each.code for each, _ in self.named})
        self.most = min((each.cost for each, _ in self.named), default=())
        self.cut_flows = 0

    def log(self) -> dict[str, Any]:
        """Return the run object (3.14)."""
        results = [self._result(each, name) for each, name in self.named]
        return {
            "tool": {"driver": self._driver()},
            "invocations": [self._invocation()],
            "columnKind": "unicodeCodePoints",
            # The location itself is omitted: it differs from machine to machine (3.14.14).
            "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the checked source tree."}}},
            "results": results,
        }

    def _driver(self) -> dict[str, Any]:
        found = [[each for each, _ in self.named if each.code == code] for code in self.codes]
        pages = {rule.code: rule for rule in loaded_rules()}
        return {
            "name": "synclint",
            "informationUri": HOME,
            "semanticVersion": __version__,
            "rules": [_descriptor(own, pages.get(own[0].code)) for own in found],
        }

    def _invocation(self) -> dict[str, Any]:
        """Return whether the run succeeded, and what failed (3.20)."""
        return {
            "executionSuccessful": not self.outcome.failures,
            "toolExecutionNotifications": [*self._failures(), *self._cuts()],
        }

    def _failures(self) -> Iterator[dict[str, Any]]:
        for each in self.outcome.failures:
            text = f"internal error in {each.part}: {each.error}; the file was not fully checked"
            where = {"physicalLocation": {"artifactLocation": self._artifact(each.filename)}}
            yield {"level": "error", "message": _message(text), "locations": [where]}

    def _cuts(self) -> Iterator[dict[str, Any]]:
        missing = len(self.outcome.findings) - len(self.named)
        if missing:
            yield _cut(f"{missing} findings are omitted: only the {MOST_RESULTS} most important ones are shown")
        if self.cut_flows:
            yield _cut(f"{self.cut_flows} chains of reasons are truncated to their last {MOST_FLOW_STEPS} steps")

    def _result(self, finding: Finding, fingerprint: str) -> dict[str, Any]:
        """Return one finding (3.27)."""
        where = self._location(finding.span)
        if finding.scope:
            where["logicalLocations"] = [{"fullyQualifiedName": escape(finding.scope)}]
        result: dict[str, Any] = {
            "ruleId": finding.code,
            "ruleIndex": self.codes.index(finding.code),
            "level": _LEVELS[finding.severity],
            "message": _message(finding.message),
            "locations": [where],
            "partialFingerprints": {"synclintFingerprint/v1": fingerprint},
            "properties": {
                "confidence": finding.confidence.words,
                "frequency": finding.frequency.level.words,
                "per": finding.frequency.per,
                "frequencyAssumed": finding.frequency.assumed,
                "conditions": list(finding.frequency.conditions),
                "cause": finding.frequency.cause,
            },
        }
        if finding.measured is not None and finding.measured.count:
            result["rank"] = self._rank(finding)
        fix = None if finding.span.cell else self.outcome.fix(finding)
        if fix is not None and not fix.offer.is_display:
            result["fixes"] = [self._fix(fix, finding.span.filename)]
        steps = self._steps(finding)
        return {**result, "codeFlows": [{"threadFlows": [{"locations": steps}]}]} if len(steps) > 1 else result

    def _rank(self, finding: Finding) -> float:
        """Return what a wait cost in a recorded run, from 0 to 100 for the most expensive (3.27.25)."""
        return round(next((100 * own / most for own, most in zip(finding.cost, self.most) if most), 0.0), 1)

    def _fix(self, fix: Fix, filename: str) -> dict[str, Any]:
        """Return what would be written instead (3.55); of notebooks, programs that read JSON could not apply it."""
        offer = fix.offer
        replacements = [
            {
                "deletedRegion": {
                    "startLine": each.row,
                    "startColumn": each.column,
                    "endLine": each.end_row,
                    "endColumn": each.end_column,
                },
                "insertedContent": {"text": each.text},
            }
            for each in fix.edits
        ]
        text = offer.title if offer.is_safe else f"{offer.title} (unsafe: {offer.unsafe})"
        change = {"artifactLocation": self._artifact(filename), "replacements": replacements}
        return {"description": _message(text), "artifactChanges": [change]}

    def _steps(self, finding: Finding) -> list[dict[str, Any]]:
        """Return how the value came to the device, what makes the line run so often, and the line itself (3.38).

        A reason without a location of its own is about the value at the finding's location.
        """
        reasons = [*finding.reasons, *finding.frequency.reasons]
        if len(reasons) >= MOST_FLOW_STEPS:
            self.cut_flows += 1
            reasons = reasons[-(MOST_FLOW_STEPS - 1) :]
        told = [*((each.span or finding.span, each.message) for each in reasons), (finding.span, finding.message)]
        return [{"location": {**self._location(span), "message": _message(text)}} for span, text in told]

    def _location(self, span: Span) -> dict[str, Any]:
        """Return a region of a file; without columns, as for notebooks, it covers whole lines (3.30)."""
        span = span.on_disk
        region = {"startLine": span.row, "endLine": span.end_row}
        if not span.cell:
            region |= {"startColumn": span.column, "endColumn": span.end_column}
        return {"physicalLocation": {"artifactLocation": self._artifact(span.filename), "region": region}}

    def _artifact(self, filename: str) -> dict[str, str]:
        """Return a file below the root as a relative URI (3.4), any other as an absolute one."""
        where = uri(relative(filename, self.root))
        return {"uri": where} if where.startswith("file:") else {"uri": where, "uriBaseId": _ROOT}


def _descriptor(found: Sequence[Finding], rule: Rule | None) -> dict[str, Any]:
    """Return the rule of these findings (3.49); `rule` is its page, which a caller's own rule may lack."""
    first = found[0]
    page = rule.page if rule else first.message
    title = rule.title if rule else first.message
    return {
        "id": first.code,
        "name": first.name,
        "shortDescription": _message(_short(title)),
        "fullDescription": _message(_short(page.replace("\n\n", "\0").replace("\n", " ").replace("\0", "\n\n"))),
        "help": {"text": page, "markdown": f"{page}\n\n[{first.code} {first.name}]({first.url})\n"},
        "helpUri": first.url,
        "defaultConfiguration": {"level": _LEVELS[max(each.severity for each in found)]},
        "properties": {
            "precision": _precision(found),
            "problem.severity": "error" if first.kind is Kind.BUG else "warning",
            "tags": [_TAGS.get(first.kind, "maintainability")],
        },
    }


def _precision(found: Sequence[Finding]) -> str:
    """Return how far the rule's findings in this run can be trusted: as far as the least certain of them.

    `very-high` is reserved for findings about the linting itself, which state what is in the file. For no other rule
    has the share of true findings been measured that would justify it.
    """
    if all(each.kind is Kind.META for each in found):
        return "very-high"
    return _PRECISIONS[min(each.confidence for each in found)]


def _message(text: str) -> dict[str, str]:
    """Return a plain text message (3.11), in which `x[0](1)` in quoted code must not become a link (3.11.6)."""
    return {"text": "\n".join(map(escape, text.split("\n"))).replace("](", "] (")}


def _cut(text: str) -> dict[str, Any]:
    return {"level": "warning", "message": {"text": text}}


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_DESCRIPTION else text[: LONGEST_DESCRIPTION - 1] + "…"
