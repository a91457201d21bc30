"""Answers deferred terms, each once; where nothing else answers one, what its use or its name shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, TypeGuard

from ....facts.modules import LOADED
from ....facts.torch_optimizers import SCALER
from ...library.loaded_models import loaded
from ...notes.summary import IS_MODULE, MOVED, SCALES
from ...values.certainty import can_wait
from ...values.joining import join_all
from ...values.lattice import ANY_DTYPE, ANYWHERE, BOOL, HOST, OPEN, Device
from ...values.operators import tested
from ...values.ops import Op
from ...values.suggestion import beside, of_question
from ...values.tensors import moved_to, operands_of
from ...values.together import common_device
from ...values.union import UNKNOWN, Batch, Deferred, Instance, OneOf, Tensor, Value, options_of
from ..index.noted_index import NotedIndex
from .frames import Frames
from .questions import Questions


class Resolves(Protocol):
    """Resolves values and devices: answers the questions in them."""

    def resolve(self, value: Value) -> Value: ...

    def device(self, device: Device) -> Device: ...


class Answers(Protocol):
    """Answers a term by its operator, and tells what is known while that is going on."""

    def answer(self, term: Deferred) -> Value: ...

    def so_far(self, term: Deferred) -> Value: ...


class Terms:
    """Answers terms, and remembers the answers; `inner` resolves what they lead to."""

    def __init__(
        self,
        index: NotedIndex,
        questions: Questions,
        frames: Frames,
        inner: Resolves,
        asked: Answers,
    ) -> None:
        self._index = index
        self._questions = questions
        self._frames = frames
        self._inner = inner
        self._asked = asked

    def known(self, term: Deferred) -> Value | None:
        """Return the answer to a question if it was found before."""
        known = self._frames.known(term)
        return None if known is None else self._questions.recalled(known)

    def resolve(self, term: Deferred) -> Value:
        """Return the answer to a question that is not known yet."""
        if self._questions.is_open(term):
            return self._asked.so_far(term)
        answer = self._questions.ask(term, self._found, term, self._frames.is_general)
        self._frames.remember(term, answer, self._by_itself)
        result: Value = answer.value
        return result

    def _by_itself(self, term: Deferred) -> None:
        self._frames.outside(self._again, term)

    def _again(self, term: Deferred) -> None:
        if self.known(term) is None:
            self.resolve(term)

    def _found(self, term: Deferred) -> Value:
        try:
            return self._worked_out(term)
        except Exception as error:
            self._questions.failed(term, error)
            return UNKNOWN

    def _worked_out(self, term: Deferred) -> Value:
        found = self._asked.answer(term)
        if isinstance(found, Deferred | OneOf):
            found = self._inner.resolve(found) if found is not term else UNKNOWN
        if found is UNKNOWN:
            return self._by_use(term)
        if isinstance(found, OneOf) and UNKNOWN in found.options and self._is_shown(term):
            found = self._shown(term, found)
        options = options_of(found)
        if any(map(_is_anywhere, options)) and self._says_host(term):
            found = join_all(replace(each, device=HOST) if _is_anywhere(each) else each for each in options)
        if isinstance(found, Batch) and not found.device.on_cpu:
            return self._shown_batch(term, found)
        return found

    def _shown_batch(self, term: Deferred, found: Batch) -> Value:
        """Return what a use shows that what is, or may be, several tensors is: one of them, or what was moved."""
        if self._index.evidence.get(term) == IS_MODULE:
            return found if found.computed or found.named else Instance(LOADED, (), found.device)
        why = self._use_of(term)
        return found if why is None else Tensor(found.device, memory=found.memory, by_use=why)

    def _shown(self, term: Deferred, found: OneOf) -> Value:
        """Return alternatives with what a use shows in place of what is unknown, unless another tells where that is.

        This is one on the device, or a loader's batch, which is moved there; what may be anywhere tells nothing.
        """
        if any(not _is_anywhere(each) and (can_wait(each) or isinstance(each, Batch)) for each in found.options):
            return found
        return join_all(self._by_use(term) if each is UNKNOWN else each for each in found.options)

    def _by_use(self, term: Deferred) -> Value:
        """Return what a use of the value shows, if nothing else is known."""
        if self._index.evidence.get(term) == SCALES:
            return Instance(SCALER)
        moved = moved_to(term)
        device = None if moved is None else self._inner.device(moved)
        if (why := self._use_of(term)) is not None:
            device = device or (HOST if self._is_on_host(term) else self._device_of_operands(term))
            return Tensor(device, BOOL if tested(term) == "compared" else ANY_DTYPE, by_use=why)
        if device is None:
            return Batch(HOST) if self._index.evidence.get(term) == MOVED else of_question(term)
        made = loaded(term.operands[0], device) or Batch(device)
        return made if isinstance(made, Instance) or device.on_cpu else self._shown_batch(term, made)

    def _use_of(self, term: Deferred) -> str | None:
        """Return the use that shows that the answer is a tensor; what is moved may be a batch of them."""
        found = self._index.evidence.get(term)
        return None if found in (IS_MODULE, MOVED, SCALES) else found

    def _is_shown(self, term: Deferred) -> bool:
        """Whether a use shows what the answer is."""
        return self._index.evidence.get(term, MOVED) not in (IS_MODULE, MOVED)

    def _is_on_host(self, term: Deferred) -> bool:
        """Whether a use says that the answer is on the host, if nothing else tells where it is."""
        return any(map(self._says_host, beside(term)))

    def _says_host(self, term: Deferred) -> bool:
        return term in self._index.on_host

    def _device_of_operands(self, term: Deferred) -> Device:
        """Return the device of an unknown function's result: with tensors on the GPU as arguments, the GPU."""
        if term.op not in (Op.CALL, Op.CALL_VALUE):
            return OPEN
        device = common_device(operands_of(map(self._inner.resolve, term.operands)))
        return device if device.on_gpu else OPEN


def _is_anywhere(value: Value) -> TypeGuard[Tensor | Batch]:
    """Whether this is a tensor, or are tensors, of which nothing tells where they are."""
    return isinstance(value, Tensor | Batch) and value.device.flags == ANYWHERE
