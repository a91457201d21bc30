"""For which callers of its function an operation waits, where they pass different things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
        {True: waits, False: others, None: unknown}[found][_caller(site)] = None
    if not waits or not others:
        return operation
    words = f"{_calls(waits, others)} what is waited for here, and {_calls(others, waits)} something else"
    if unknown:
        words += f"; it is not known what {', '.join(unknown)} {'passes' if len(unknown) == 1 else 'pass'}"
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
    is_tensor = isinstance(value, Tensor | Batch)
    return (is_tensor and not value.device.flags & CPU) or of([value]) is None


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


def _caller(site: CallSite) -> str:
    module, _, inside = site.caller.rpartition(":")
    return f"`{last_part(site.caller)}`" if not module or inside else f"the module `{module}`"


def _calls(these: Iterable[str], others: Iterable[str]) -> str:
    """Return who passes something, of whom some may also pass something else."""
    words = [f"a call in {each}" if each in others else each for each in these]
    return f"{' and '.join(words)} {'passes' if len(words) == 1 else 'pass'}"
