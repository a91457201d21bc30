"""How often a function runs, judged by what is in its body and by its name, where its callers do not tell."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ....facts import libraries
from ....facts.attributes import TO_HOST
from ....facts.typing_names import PLAIN_TENSORS
from ....finding import Frequency, Level, Reason
from ...notes.summary import CallSite, FunctionSummary
from ...often.local import Local
from ...often.roles import draws, prepares_data

if TYPE_CHECKING:
    from ..index.noted_index import NotedIndex

MOST_REASONS: Final = 6
"""Reasons beyond that are left out."""


ONLY_PREPARED: Final = Reason("only what prepares data is seen to call it; others are not known")
PREPARES: Final = Reason("it is a transform among code that prepares data, and nothing is seen to call it")


def last_part(name: str) -> str:
    """Return the last part of a full name; lambdas all have the same."""
    return f"{last.partition(' ')[0]}>" if (last := name.rpartition(".")[2]).startswith("<") else last


def unless_drawing(called: Frequency, name: str) -> Frequency:
    """Return how often a function is called; one that draws, not at every step."""
    if called.level < Level.EVERY_STEP or not draws(name):
        return called
    reason = Reason(f"`{name}` has the name of code that draws")
    return replace(called, level=Level.EVERY_N_STEPS, reasons=(*called.reasons[: MOST_REASONS - 1], reason))


def is_transform(method: str, index: NotedIndex) -> bool:
    """Whether a method is a transform's, by the bases of its class and its file, so that data sets may well call it.

    What can be inverted is a map of a model, as in a normalizing flow.
    """
    *folders, file, _, _ = ("", "", *method.split("."))
    cls = method.rpartition(".")[0]
    if not any(each.endswith("Transform") for each in index.bases(cls)[1:]) or not prepares_data(folders, file):
        return False
    return index.callable(f"{cls}.inverse") is None


def is_composed(site: CallSite) -> bool:
    """Whether a function is only handed to what may call it to prepare data: a transform, to `Compose`."""
    return site.passed and site.local.cap is Level.NEVER


def preparing(module: str, index: NotedIndex) -> Frequency | None:
    """Return where a module runs that nothing is seen to call, if it may well be a transform; None if not."""
    if is_transform(module, index):
        return Frequency(Level.UNKNOWN, (PREPARES,))
    return _of_data_sets(module, index)


def processes(method: str, index: NotedIndex) -> Frequency | None:
    """Return where a method runs that prepares data before the model runs.

    That is told by its class, by who makes its objects, or by what these are handed to.
    """
    cls, _, last = method.rpartition(".")
    words = libraries.PREPARING_KINDS.get(index.kind(cls) or "") if index.is_defined(cls) else None
    if words and not last.lstrip("_").startswith(libraries.AFTER_THE_MODEL):
        return Frequency(Level.UNKNOWN, (Reason(words),))
    return _of_data_sets(method, index) or _composed(method, index)


def _composed(method: str, index: NotedIndex) -> Frequency | None:
    """Return that nobody knows how often a method runs whose objects are composed, and not seen to be called."""
    sites = index.sites_of(method)
    is_only = bool(sites) and all(map(is_composed, sites))
    return Frequency(Level.UNKNOWN, (*sites[0].local.reasons, ONLY_PREPARED)) if is_only else None


def _of_data_sets(method: str, index: NotedIndex) -> Frequency | None:
    """Return where a method runs if only data sets make objects of its class; None if others may."""
    cls = method.rpartition(".")[0]
    makers = {site.caller.rpartition(".")[0] for site in index.made_at(cls)} if index.is_defined(cls) else set()
    kinds = {index.kind(each) if index.is_defined(each) else None for each in makers}
    if not kinds or not kinds <= libraries.WORKER_KINDS.keys() - {"test case"}:
        return None
    words = f"only what prepares data makes a `{last_part(cls)}`"
    return Frequency(Level.NEVER, (Reason(words), Reason(min(libraries.WORKER_KINDS[each] for each in kinds if each))))


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


def step_of_use(found: Frequency, local: Local, function: Frequency, owner: str) -> Frequency:
    """Return how often a place runs that is `found` to evaluate, in a program that trains nothing: that is its step.

    The place is in `owner`, a function that runs so often, or module.
    """
    evaluates = function.level is Level.EVALUATION
    if not (function.assumed if evaluates else found.assumed or local.uses):
        return found
    reasons = (*found.reasons[: MOST_REASONS - 1], Reason("nothing in this program trains: to use a model is its step"))
    if local.level is not None or not evaluates:
        return replace(found, level=Level.EVERY_STEP, reasons=reasons)
    level = Level.EVERY_PASS if local.repeats and not local.parts else Level.EVERY_STEP
    return replace(found, level=level, reasons=reasons, cause=owner, per=f"call of `{last_part(owner)}`")


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
    words = f"`{name}` computes on tensors it is given and its callers are not known: taken for part of a step"
    cls = last_part(function.name.rpartition(".")[0])
    per = {"__call__": f"call of a `{cls}`", "__init__": f"call of `{cls}`"}.get(name, f"call of `{name}`")
    return Frequency(Level.EVERY_STEP, (Reason(words),), True, function.name, per=per)
