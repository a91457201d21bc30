"""For people: what stalls the steps of each program, the worst first, and at the end where to begin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...finding import Finding, Level, Severity, Span, many
from ...limits import MOST_FIRST
from ..blocks import Painter, Writer, few, how_often, line_of, wrapped
from ..outcome import Outcome
from ..sections import Block, Part, Section, by_file, by_program
from ..text import escape, place


def render(outcome: Outcome) -> Iterator[str]:
    """Yield the sections of the report, and what is said at its end."""
    shown, aside = outcome.near
    found = by_file(shown) if outcome.by_file else by_program(shown, None if outcome.shows_fixes else outcome.line)
    writer = Writer(outcome, Painter(outcome.color, outcome.links))
    for section in found:
        if section.blocks:
            yield from writer.section(section)
    for line in (*_repeated(found), *(_aside(aside) if outcome.summed_up else ())):
        yield from (*wrapped(line, outcome.width, "    "), "")
    yield from outcome.explained()
    for line in (*_first(found), *_anyway(found, outcome.on_purpose)) if outcome.summed_up else ():
        yield from wrapped(line, outcome.width, "      ")


def _repeated(sections: Sequence[Section]) -> Iterator[str]:
    """Yield a line about the loops whose waits are all reported at other loops."""
    loops = [each.where for each in sections if not each.blocks and each.where]
    if loops:
        have = "has" if len(loops) == 1 else "have"
        yield f"{many(len(loops), 'more loop')} {have} only waits reported above: {few([*map(line_of, loops)])}."


def _aside(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield a line about the findings that are not shown for where they are."""
    if findings:
        errors = sum(each.severity is Severity.ERROR for each in findings)
        of_them = f" ({many(errors, 'error')})" if errors else ""
        yield f"{many(len(findings), 'finding')}{of_them} in docs, examples and vendored code not shown: --show-all."


def _first(sections: Sequence[Section]) -> Iterator[str]:
    """Yield the places to look at first, and why, where there are many."""
    blocks = [block for section in sections if section.part <= Part.ASSUMED for block in section.blocks]
    if len(blocks) <= MOST_FIRST:
        return
    yield "Look first at:"
    chosen = sorted(blocks, key=lambda each: (each.rank[:-1], -len(each.same) - len(each.findings)))[:MOST_FIRST]
    yield from (f"  {place(each.worst.span)}: {each.worst.code} {each.worst.name}, {_why(each)}" for each in chosen)


def _anyway(sections: Sequence[Section], on_purpose: Sequence[Finding]) -> Iterator[str]:
    """Yield a line for each reported loop that an explicit wait stops in every step, whatever else is cured."""
    for where in dict.fromkeys(each.where for each in sections if each.where and each.blocks):
        here = [each for each in on_purpose if _stops(each, where)]
        if here:
            code, calls = here[0].code, few([line_of(each.span) for each in here])
            waits, does = ("waits", "it does") if len(here) == 1 else ("wait", "they do")
            yield (
                f"{calls} {waits} every step anyway ({code}, opt-in): while {does}, curing the other waits of the loop "
                f"at {line_of(where)} gains little."
            )


def _stops(finding: Finding, loop: Span) -> bool:
    often = finding.frequency
    is_sure = often.level >= Level.EVERY_STEP and not (often.assumed or often.conditions or often.per)
    return is_sure and often.loop is not None and often.loop.span == loop


def _why(block: Block) -> str:
    measured = block.worst.measured
    often = escape(measured.words) if measured is not None else how_often(block.worst.frequency, "")
    number = f", {len(block.findings)} times in the function" if len(block.findings) > 1 else ""
    also = f", and in {many(len(block.same), 'other place')}" if block.same else ""
    return f"{often}{number}{also}"
