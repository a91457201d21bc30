"""The program around a value, as far as library knowledge needs it: one file being read, or a project being linked."""

from __future__ import annotations

from abc import abstractmethod
from typing import Protocol

from ..values.arguments import Arguments, Keywords
from ..values.union import UNKNOWN, Deferred, Instance, OneOf, Sequence, Value


class Program(Protocol):
    """The classes of a program, and what their instances hold."""

    @abstractmethod
    def owns(self, cls: str) -> bool:
        """Whether the class is one of the program's own."""

    @abstractmethod
    def kind(self, cls: str) -> str | None:
        """Return the kind of a class's instances: `module`, `metric` and so on."""

    @abstractmethod
    def library_base(self, cls: str) -> str:
        """Return the class or its nearest base that belongs to a library."""

    @abstractmethod
    def member(self, base: Instance, name: str) -> Value | None:
        """Return what the program itself says about an attribute of its object: a method, what is bound to it."""

    @abstractmethod
    def missing(self, base: Instance, name: str) -> Value:
        """Return an attribute about which neither its class nor a library says anything."""


class World(Program, Protocol):
    """A program in which something is called; it may watch what is, and then sees more than the result."""

    @abstractmethod
    def attribute(self, base: Value, name: str) -> Value:
        """Return an attribute of a value."""

    @abstractmethod
    def given(self, receiver: Value | None, positional: tuple[Value, ...], keywords: Keywords) -> Arguments:
        """Return the arguments of a library function."""

    @abstractmethod
    def result(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value | None:
        """Return the result of a function of the program by its full name; None if there is no such function."""

    @abstractmethod
    def unknown(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the result of a function about which no fact tells."""

    @abstractmethod
    def construct(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the result of calling a class by its full name."""

    @abstractmethod
    def ask(self, callee: Deferred, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the result of calling what is not known yet."""

    def ask_many(self, callee: OneOf, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the result of calling one of many, each of which is not known yet."""
        return UNKNOWN

    def called(self, name: str, arguments: Arguments) -> Value | None:
        """See a library function called; return its result if this place tells more about it than the facts."""
        return None

    def made(self, name: str, value: Value, arguments: Arguments) -> Value:
        """Return the result of a library function as it is kept here."""
        return value

    def method_called(self, name: str, receiver: Value, arguments: Arguments) -> Value:
        """See a method of a value called; return the receiver, as which it turns out by that."""
        return receiver

    def tensor_changed(self, name: str, receiver: Value, arguments: Arguments) -> None:
        """See a tensor method called, which may change the tensor."""
        return

    def sequence_changed(self, name: str, receiver: Sequence, arguments: Arguments) -> None:
        """See a method of a list, tuple or dict called, which may add to it."""
        return

    def object_changed(self, name: str, receiver: Instance, arguments: Arguments) -> None:
        """See a method of a library object called, which may register something."""
        return

    def object_called(self, callee: Instance, arguments: Arguments) -> None:
        """See an object called like a function."""
        return

    def host_called(self, callee: Value, positional: tuple[Value, ...], keywords: Keywords) -> None:
        """See a method called that is one of a host object, or of something unknown."""
        return
