"""Answers deferred terms, each once: what a question stands for, with every question inside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ...bounds.stack import on_fresh_stack
from ..library.annotations import may_be_alias
from ..values.joining import any_item, join_all
from ..values.lattice import ANYWHERE, CPU, HOST, OPEN, Device
from ..values.placement import device_of
from ..values.suggestion import of_question
from ..values.tensors import as_device, common_device, moved_to, operands_of
from ..values.union import (
    UNKNOWN,
    Batch,
    Deferred,
    DeviceRef,
    Host,
    Instance,
    Module,
    OneOf,
    Sequence,
    Tensor,
    Value,
    options_of,
)
from .project_index import ProjectIndex
from .questions import CIRCLE, CUT, FAR, MOST_STEPS, NOBODY, STRETCH, UNFINISHED, Answer, Answers, Questions

Bound = Mapping[Deferred, Value]


class Terms(Questions):
    """Answers terms and remembers the answers.

    While the result of one call is computed, `_bindings` says what the parameters of its `_function` are, and answers
    that depend on them are `_local`. `_owners` belong to the question asked last (see `Answer`); `_calls` is the number
    of calls that the current answer is nested in.
    """

    def __init__(self, index: ProjectIndex) -> None:
        super().__init__()
        self.index = index
        self._answers: Answers = {}
        self._owners = NOBODY
        self._function = CUT
        self._calls = 0
        self._bindings: Bound | None = None
        self._local: Answers = {}

    def resolve(self, value: Value) -> Value:
        """Return the value with every question in it answered; Unknown if there is no answer."""
        answer = RESOLVED.get(type(value))
        if answer is None:
            return value
        if self._steps >= MOST_STEPS:
            return UNKNOWN
        self._steps += 1
        try:
            if self._steps % STRETCH == 0:
                return on_fresh_stack(lambda: answer(self, value))
            return answer(self, value)
        finally:
            self._steps -= 1

    def _tensor(self, value: Tensor) -> Tensor:
        return value if value.device.like is None else replace(value, device=self._device(value.device))

    def _batch(self, value: Batch) -> Batch:
        return value if value.device.like is None else replace(value, device=self._device(value.device))

    def _device_ref(self, value: DeviceRef) -> DeviceRef:
        return value if value.device.like is None else DeviceRef(self._device(value.device))

    def _module(self, value: Module) -> Value:
        """Return what a module is imported for: what another file binds to that name."""
        known = self.index.constants.get(name := self.index.canonical(value.name)) if "." in value.name else None
        return value if known is None else self._once(("module", name), lambda: self.resolve(known), value)

    def _one_of(self, value: OneOf) -> Value:
        return join_all(map(self.resolve, value.options))

    def _object(self, value: Instance) -> Value:
        """Return the instance with its device resolved and, if it is torch's, its arguments.

        If the class turns out to be an alias of some types, return what they promise.
        """
        if may_be_alias(value.cls) and (types := self.index.aliases.get(self.index.canonical(value.cls))) is not None:
            return self._once(("alias", value.cls), lambda: self.resolve(types), UNKNOWN)
        device = value.device if value.device is None else self._device(value.device)
        arguments = value.arguments
        if arguments and value.cls.startswith("torch."):
            arguments = tuple((name, self.resolve(argument)) for name, argument in arguments)
        return (
            value
            if device is value.device and arguments == value.arguments
            else replace(value, device=device, arguments=arguments)
        )

    def _device(self, device: Device) -> Device:
        """Return the device of the value that this one is like."""
        if device.like is None:
            return device
        like = self.resolve(device.like)
        while isinstance(like, Sequence):
            like = any_item(like)
        found = as_device(like) if _is_text(like) else device_of(like)
        if found is None and all(map(_is_data, options_of(like))):
            return HOST if device.why is None else Device(CPU, None, device.why)
        if found is None or found.like is not None:
            return Device(ANYWHERE, None, device.why)
        return found if found.why is not None else Device(found.flags, None, device.why)

    def _sequence(self, value: Sequence) -> Sequence:
        items = None if value.items is None else tuple(map(self.resolve, value.items))
        return Sequence(value.kind, items, self.resolve(value.element), value.keys)

    def _answer(self, term: Deferred) -> Value:
        """Return the answer to one question, by its `op`."""
        raise NotImplementedError

    def _term(self, term: Deferred) -> Value:
        """Return the answer to a question, computed once.

        If questions depend on each other in a cycle, the answer is final only for the one asked first: the others were
        answered before it was known, and are asked again.
        """
        key = id(term)
        if (known := self._known(key)) is not None:
            self._reaches = min(self._reaches, known.reaches)
            self._belongs_to(known.owners)
            return known.value
        if key in self._asking:
            self._owners |= {CIRCLE}
            return self._so_far(term)
        (depth, reaches), owners, self._owners = self._ask(key), self._owners, NOBODY
        found = self._worked_out(term)
        answer = Answer(term, found, self._done(key, reaches), self._owners)
        self._owners = owners
        self._belongs_to(answer.owners)
        answers = self._remembering(answer)
        answers[key] = answer
        if answer.reaches < FAR:
            self._open.append((depth, answers, key))
        return found

    @contextmanager
    def outside(self) -> Iterator[None]:
        """Ask independently of the call being computed while entered."""
        outer = self._bindings, self._owners, self._calls
        self._bindings, self._calls = None, 0
        try:
            yield
        finally:
            self._bindings, self._owners, self._calls = outer

    def start_over(self) -> None:
        """Forget the questions that are being asked, and the call that is being worked out."""
        super().start_over()
        self._bindings, self._owners, self._calls = None, NOBODY, 0

    def _belongs_to(self, owners: frozenset[str]) -> None:
        """Note that the current question depends on the parameters of these."""
        if owners and self._asking and not owners <= self._owners:
            self._owners |= owners

    def _known(self, key: int) -> Answer | None:
        """Return the answer that was found before, if it holds for the call that is being computed."""
        if self._bindings is None:
            return self._answers.get(key)
        known = self._local.get(key)
        if known is None and (known := self._answers.get(key)) is not None and self._function in known.owners:
            return None
        return known

    def _remembering(self, answer: Answer) -> Answers:
        """Return where an answer is kept: with those of the one call, or with those that hold everywhere."""
        owners = answer.owners
        is_local = answer.reaches < FAR or self._function in owners or not owners.isdisjoint(UNFINISHED)
        return self._local if is_local and self._bindings is not None else self._answers

    def _worked_out(self, term: Deferred) -> Value:
        depth = len(self._asking)
        try:
            found = self._answer(term)
        except Exception as error:  # of our own: it costs this answer, and whoever asked tells of it
            self._give_up(depth)
            self.errors.append(error)
            return UNKNOWN
        if isinstance(found, Deferred | OneOf):
            found = self.resolve(found) if found is not term else UNKNOWN
        if found is UNKNOWN:
            return self._by_use(term)
        if isinstance(found, Batch) and (why := self.index.evidence.get(term)) is not None:
            return Tensor(found.device, memory=found.memory, by_use=why)
        return found

    def _so_far(self, term: Deferred) -> Value:
        """Return what is known about a question while it is being answered: an answer that depends on itself."""
        return self.resolve(term.operands[1]) if term.op == "declared" else UNKNOWN

    def _by_use(self, term: Deferred) -> Value:
        """Return what a use of the value shows, if nothing else is known."""
        moved = moved_to(term)
        device = None if moved is None else self._device(moved)
        if (why := self.index.evidence.get(term)) is not None:
            return Tensor(device or self._device_of_operands(term), by_use=why)
        if device is None:
            return of_question(term)
        return Batch(device)

    def _device_of_operands(self, term: Deferred) -> Device:
        """Return the device of an unknown function's result: with tensors on the GPU as arguments, the GPU."""
        if term.op not in ("call", "call_value"):
            return OPEN
        device = common_device(operands_of(map(self.resolve, term.operands)))
        return device if device.on_gpu else OPEN


def _is_text(value: Value) -> bool:
    """Whether this is a known string, or one of several that may be given: they name devices."""
    return any(isinstance(option, Host) and isinstance(option.constant, str) for option in options_of(value))


def _is_data(value: Value) -> bool:
    """Whether this is a host value from which tensors are created."""
    return isinstance(value, Host) and value.kind not in ("NoneType", "object", "str")


RESOLVED: dict[type, Callable[[Terms, Any], Value]] = {
    Deferred: Terms._term,
    Tensor: Terms._tensor,
    Batch: Terms._batch,
    DeviceRef: Terms._device_ref,
    Module: Terms._module,
    OneOf: Terms._one_of,
    Sequence: Terms._sequence,
    Instance: Terms._object,
}
"""What resolves the questions inside a value; other kinds of values contain none."""
