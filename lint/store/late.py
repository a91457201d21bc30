"""Lists and objects that are decoded when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload


class Late(Sequence[Any]):
    """A list that `read` returns; it is asked once."""

    __slots__ = ("_found", "_read")

    def __init__(self, read: Callable[[], list[Any]]) -> None:
        self._read: Callable[[], list[Any]] | None = read
        self._found: list[Any] = []

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[Any]]]:
        return list, (self._items(),)

    def __eq__(self, other: object) -> bool:
        return self._items() == (other._items() if isinstance(other, Late) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._items())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items())

    def __len__(self) -> int:
        return len(self._items())

    @overload
    def __getitem__(self, at: int) -> Any: ...

    @overload
    def __getitem__(self, at: slice) -> list[Any]: ...

    def __getitem__(self, at: int | slice) -> Any:
        return self._items()[at]

    def _items(self) -> list[Any]:
        if self._read is not None:
            self._found = self._read()
            self._read = None
        return self._found


class Objects:
    """Numbered objects; `make` returns one, given who has those that it is made of. `check` may raise for one."""

    def __init__(self, make: Callable[[int, Objects], Any], check: Callable[[object], None]) -> None:
        self._make = make
        self._check = check
        self._known: dict[int, Any] = {}

    def __getitem__(self, number: int) -> Any:
        if number not in self._known:
            found = self._make(number, self)
            self._check(found)
            self._known[number] = found
        return self._known[number]
