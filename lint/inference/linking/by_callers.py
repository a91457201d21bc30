"""For which callers of its function an operation waits, where they pass different things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...finding import Confidence, Reason
from ...limits import MOST_TOLD_APART
from ..notes.operations import Call, Compare, Convert, Operation, Truth
from ..notes.summary import CallSite, FunctionSummary
from ..values.certainty import OBJECT, of
from ..values.lattice import CPU
from ..values.union import SPREAD, UNKNOWN, Batch, Deferred, Tensor, Value, options_of
from .asking import Asking
from .frequency.by_body import last_part


def with_callers(asking: Asking, asked: Operation, operation: Operation, owner: str) -> Operation:
    """Return an operation with the callers for which it waits, if it is known of others that it does not for them.

    `asked` is the same as reading has left it, with questions for the parameters of the function `owner`.
    """
    if owner not in asking.questions.owners or all(map(_is_same_for_all, _waited_for(operation))):
        return operation
    function = asking.index.function(owner)
    sites = tuple(each for each in asking.index.sites_of(owner) if each.caller != owner)
    if function is None or not 1 < len(sites) <= MOST_TOLD_APART:
        return operation
    waits, others, unknown = dict[str, None](), dict[str, None](), dict[str, None]()
    for site in sites:
        found = None if site.passed else _for(asking, function, site, asked)
        {True: waits, False: others, None: unknown}[found][site.caller] = None
    if not waits or not others:
        return operation
    shown = _shown({each.caller for each in sites})
    words = f"{_calls(waits, others, shown)} what may be on the device, and {_calls(others, waits, shown)} what is not"
    if unknown:
        words += f"; it is not known what {_passing([shown[each] for each in unknown])}"
    return replace(operation, passed=Reason(words))


def _waited_for(operation: Operation) -> tuple[Value, ...]:
    """Return what an operation waits for if it waits; nothing for those where more than that decides."""
    match operation:
        case Truth() | Convert():
            return (operation.value,)
        case Compare():
            return operation.values
        case Call(receiver=receiver) if receiver is not None:
            return (receiver,)
    return ()


def _is_same_for_all(value: Value) -> bool:
    """Whether a value is on the device whoever passes it, or nothing that is waited for."""
    return (isinstance(value, Tensor | Batch) and not value.device.flags & CPU) or of([value]) is None


def _for(asking: Asking, function: FunctionSummary, site: CallSite, asked: Operation) -> bool | None:
    """Return whether an operation waits in one call of its function; None if that is not known."""
    if SPREAD in dict(site.keywords):
        return None
    values = [asking.resolver.in_call(function, site, each) for each in _waited_for(asked)]
    sure = of(values)
    if sure is None:
        return None if any(map(_is_open, _options(values))) else False
    return True if sure > Confidence.POSSIBLE else None


def _options(values: Iterable[Value]) -> Iterator[Value]:
    return (option for value in values for option in options_of(value))


def _is_open(value: Value) -> bool:
    return value is UNKNOWN or value == OBJECT or isinstance(value, Deferred | Batch)


def _shown(callers: Iterable[str]) -> dict[str, str]:
    """Return how callers are named: by the last part of their names, and that before it where others have the same."""
    last = {each: last_part(each) for each in callers}
    named = Counter(last.values())
    return {
        each: f"the module `{each[:-1]}`"
        if each.endswith(":")
        else f"`{name}`"
        if named[name] == 1
        else f"`{last_part(each.rpartition('.')[0])}.{name}`"
        for each, name in last.items()
    }


def _calls(these: Iterable[str], others: Collection[str], shown: Mapping[str, str]) -> str:
    """Return who passes something, of whom some may also pass something else."""
    return _passing([f"a call in {shown[each]}" if each in others else shown[each] for each in these])


def _passing(callers: Sequence[str]) -> str:
    return f"{' and '.join(callers)} {'passes' if len(callers) == 1 else 'pass'}"
