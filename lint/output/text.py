"""Text for all formats: escaped text from untrusted sources, and counts in words."""

from __future__ import annotations

from collections.abc import Sequence

from ..finding import Finding, Reason, Severity, Span, many
from ..offers import Offer
from ..regex import regex

_COMMANDS = regex(r"##(?=\w*\[)")
"""Words that agents of GitHub (`##[`), Azure (`##vso[`) and TeamCity (`##teamcity[`) look for in a line."""


def escape(text: str) -> str:
    """Return the text with every control, formatting and unprintable character written as an escape sequence.

    What CI services interpret as a command (`##name[`, and `::` at the start of a line) is broken up as well.
    """
    if not text.isprintable():
        text = "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
    if "##" in text:
        text = _COMMANDS.sub(r"#\\x23", text)
    bare = text.lstrip()
    return f"{text[: len(text) - len(bare)]}\\x3a{bare[1:]}" if bare.startswith("::") else text


def as_source(line: str) -> str:
    """Return a source line in which no CI service finds a command; every character keeps its position."""
    return _COMMANDS.sub("#♯", line) if "##" in line else line


def valid(text: str) -> str:
    """Return the text for readers of strict UTF-8: undecodable bytes of a file name become question marks."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def place(span: Span) -> str:
    """Return `file:row:column`; in a notebook `file:cell 3:row:column`."""
    return f"{escape(span.filename)}:{span.position}"


def one_line(finding: Finding) -> str:
    """Return the finding in the form familiar from editors and compilers."""
    rule = f"[{finding.code} {finding.name}]"
    return f"{place(finding.span)}: {finding.severity.words}: {escape(finding.message)} {rule}"


def reason_line(reason: Reason) -> str:
    """Return the reason and its location."""
    return escape(f"{reason.message} ({place(reason.span)})" if reason.span else reason.message)


def advice(finding: Finding) -> str:
    """Return the message, why the line runs so often, and what to write instead, each on a line."""
    often = finding.frequency
    why = (f"{each.message}{often.where and f',{often.where}'}" for each in often.reasons[:1])
    parts = (finding.message, *why, finding.instead)
    return "\n".join(map(escape, filter(None, parts)))


def summary(findings: Sequence[Finding], files: int, notes: bool) -> str:
    """Return one line that says how many findings there are in how many files."""
    where = f"in {many(files, 'file')}"
    counts = {level: sum(finding.severity is level for finding in findings) for level in reversed(Severity)}
    loud = [many(number, level.words) for level, number in counts.items() if number and (notes or level > 1)]
    hidden = counts[Severity.NOTE] if not notes else 0
    tail = f" ({many(hidden, 'note')} not shown: --show-notes)" if hidden else ""
    return f"Found {_joined(loud)} {where}{tail}." if loud else f"Found no problems {where}{tail}."


def fixable(findings: Sequence[Finding], hints: Sequence[bool]) -> str:
    """Return one line that says how many fixes are on offer, of the kinds that are hinted at: safe (True) and unsafe.

    Whether some of them can be made is only found out when they are asked for.
    """
    hinted = ([offer for offer in each.offers if offer.is_safe in hints and not offer.is_display] for each in findings)
    offers = [likeliest(each) for each in hinted if each]
    sure = [each for each in offers if each.is_sure]
    safe = sum(each.is_safe for each in sure)
    parts = [f"{safe} with `--fix`"] if safe else []
    parts += [f"{len(sure) - safe}{' more' if safe else ''} with `--fix --unsafe-fixes`"] if len(sure) > safe else []
    rest = f"; perhaps {len(offers) - len(sure)} more: `--diff` tries" if len(sure) < len(offers) else ""
    return f"Fixable: {', '.join(parts)}{rest}." if parts else ""


def likeliest(offers: Sequence[Offer]) -> Offer:
    """Return the offer that is made if possible: a sure one rather than another, a safe one rather than an unsafe."""
    return min(offers, key=lambda each: (not each.is_sure, not each.is_safe))


def _joined(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
