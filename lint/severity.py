"""How loud a finding is."""

from __future__ import annotations

from .finding import Confidence, Finding, Frequency, Kind, Level, Severity


def severity_of(kind: Kind, frequency: Frequency, confidence: Confidence) -> Severity:
    """Return the severity for a kind, frequency and confidence; this is decided nowhere else."""
    if kind is Kind.META:
        return Severity.WARNING
    if confidence is Confidence.POSSIBLE:
        return Severity.NOTE if frequency.level > Level.ONCE else Severity.NONE
    certain = confidence is Confidence.CERTAIN
    if kind is Kind.BUG:
        return Severity.ERROR if certain else Severity.WARNING
    level = frequency.level
    if level <= Level.ONCE:
        return Severity.NONE
    if level >= Level.EVERY_STEP and not frequency.off_by_default:
        return Severity.ERROR if certain and not frequency.assumed else Severity.WARNING
    if level is Level.UNKNOWN and certain:
        return Severity.WARNING
    return Severity.NOTE


def fails(finding: Finding, least: Severity) -> bool:
    """Whether a finding makes a run fail from a severity on; warnings about files and comments assume nothing."""
    loud = Severity.WARNING if finding.kind is Kind.META else least
    return finding.severity >= min(least, loud)
