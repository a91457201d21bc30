"""How often a function runs, judged by what is in its body and by its name, where its callers do not tell."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ....facts.attributes import TO_HOST
from ....facts.typing_names import PLAIN_TENSORS
from ....finding import Frequency, Level, Reason
from ....limits import MOST_REASONS
from ...notes.summary import CallSite, FunctionSummary
from ...often.local import Local

if TYPE_CHECKING:
    from ..index.noted_index import NotedIndex


ONLY_PREPARED: Final = Reason("only what prepares data is seen to call it; others are not known")


def last_part(name: str) -> str:
    """Return the last part of a full name; lambdas all have the same."""
    return f"{last.partition(' ')[0]}>" if (last := name.rpartition(".")[2]).startswith("<") else last


def is_composed(site: CallSite) -> bool:
    """Whether a function is only handed to what may call it to prepare data: a transform, to `Compose`."""
    return site.passed and site.local.cap is Level.NEVER


def on_tensors(function: FunctionSummary, index: NotedIndex) -> FunctionSummary:
    """Return a function with whether it computes on tensors it is given, as far as other files tell.

    It may compute on what another makes of these, or be a method of a class of tensors. Where data are prepared only
    modules do, which a model may have.
    """
    computes = function.tensors or any(_computes(index.callable(each)) for each in function.through)
    if _is_of_tensors(function, index):  # who calls one that reads them wants them on the host
        computes = function.name.rpartition(".")[2] not in TO_HOST
    if computes and function.preparing:
        computes = index.kind(function.name.rpartition(".")[0]) == "module"
    if computes and _makes_objects(function, index):
        return replace(function, tensors=True, role=None)
    return function if computes is function.tensors else replace(function, tensors=computes)


def _makes_objects(function: FunctionSummary, index: NotedIndex) -> bool:
    """Whether a function makes objects of a class that no library calls: those of tensors may be made in each step."""
    cls, _, last = function.name.rpartition(".")
    if last != "__init__" or function.firm or function.preparing:
        return False
    return index.is_defined(cls) and index.kind(cls) is None


def _computes(function: FunctionSummary | None) -> bool:
    return function is not None and function.tensors and not function.preparing


def _is_of_tensors(function: FunctionSummary, index: NotedIndex) -> bool:
    """Whether a function is a method of a class that is derived from tensors."""
    cls = function.name.rpartition(".")[0]
    return not function.static and index.is_defined(cls) and index.library_base(cls) in PLAIN_TENSORS


def handed_on(name: str, index: NotedIndex) -> Frequency | None:
    """Return that nobody knows how often a function is called by those that it is handed on to; None if it is not."""
    site = next((each for each in index.sites_of(name) if each.passed), None)
    if site is None:
        return None
    by = last_part(site.caller).rstrip(":") or "the module"
    return Frequency(
        Level.UNKNOWN, (Reason(f"`{by}` hands on `{last_part(name)}`; how often it is called is not known"),)
    )


def trains(function: FunctionSummary) -> Frequency:
    """Return every step for a function with a backward pass, or the like, whatever it is passed to."""
    name = function.name.rpartition(".")[2]
    reason = Reason(f"`{name}` runs a backward pass, clips gradients or steps an optimizer, so it is part of a step")
    return Frequency(Level.EVERY_STEP, (reason,), assumed=True, cause=function.name)


def for_a_batch(function: FunctionSummary, local: Local, called: Frequency) -> Frequency:
    """Return how often a library calls a function for each batch: to evaluate, if it runs a model without gradients."""
    if not local.either or function.training or not function.inferring or called.level <= Level.EVALUATION:
        return called
    reason = Reason(f"`{last_part(function.name)}` runs a model without gradients")
    return replace(called, level=Level.EVALUATION, reasons=(*called.reasons[: MOST_REASONS - 1], reason))


def infers(function: FunctionSummary) -> Frequency:
    """Return evaluation for a function that runs a model without gradients and that no step is seen to call."""
    name = function.name.rpartition(".")[2]
    words = f"`{name}` runs a model without gradients, and no step is seen to call it: taken for inference"
    return Frequency(Level.EVALUATION, (Reason(words),), assumed=True)


def drives(function: FunctionSummary) -> Frequency:
    """Return how often code outside a function's own loop over steps runs: once per run of that loop."""
    name = function.name.rpartition(".")[2]
    return Frequency(Level.EVERY_EPOCH, (Reason(f"`{name}` loops over steps itself, and this is outside the loop"),))


def assumed(function: FunctionSummary, is_closed: bool) -> Frequency:
    """Return every call for a function whose callers are not known; in a closed program, that nothing is known."""
    name = function.name.rpartition(".")[2]
    if is_closed:
        words = f"`{name}` computes on tensors it is given, and nothing in this program is seen to call it"
        return Frequency(Level.UNKNOWN, (Reason(words),))
    words = f"`{name}` computes on tensors it is given and its callers are not known: assumed to run in every step"
    cls = last_part(function.name.rpartition(".")[0])
    per = {"__call__": f"call of a `{cls}`", "__init__": f"call of `{cls}`"}.get(name, f"call of `{name}`")
    return Frequency(Level.EVERY_STEP, (Reason(words),), True, function.name, per=per)
