"""Which files of a project anything runs, by what all of them import and mention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...limits import FEW_FILES

if TYPE_CHECKING:
    from .imports import Imports
    from .names import Names


@dataclass(frozen=True, slots=True)
class Uses:
    """What the files of a project mention together.

    `program`: it has scripts that run it; `unreached` are the files that nothing imports which somebody runs; `open`
    are those any of whose names may be used, of those in `classes` only the classes, in `functions` all but methods;
    `own` are those that may use any of their own names, `methods` any of their own methods; what is in `scripts` only
    they themselves use, and what is in `inner` only the program; `fitting` may run a Trainer of
    Lightning, and of `starred` stars may import any name; `housed` are in packages that have a program of their own.
    """

    names: Names
    program: bool
    unreached: frozenset[str]
    open: frozenset[str]
    classes: frozenset[str]
    functions: frozenset[str]
    own: frozenset[str]
    methods: frozenset[str]
    scripts: frozenset[str]
    inner: frozenset[str]
    fitting: frozenset[str]
    starred: frozenset[str]
    housed: frozenset[str]


def uses(graph: Imports, names: Names) -> Uses | None:
    """Return what files of a project mention together, given their names; None if they are too few to be one."""
    told = graph.told
    if len(told) < FEW_FILES:
        return None
    reached = graph.reached()
    computing = [name for name in reached if not graph.is_test(name)]
    anything = graph.around(name for name in computing if told[name].any_module).union(graph.under(computing))
    named = frozenset(name for name, each in told.items() if each.any_name)
    methods = frozenset(name for name, each in told.items() if each.any_method)
    is_program = graph.is_program()
    unreached = frozenset(told) - graph.reached(anything) if is_program else frozenset[str]()
    opened = graph.opened(named)
    is_open = (anything if graph.gets_by_name(computing) else frozenset[str]()) | opened
    functions = opened - graph.opened(frozenset(name for name in named if "*" in told[name].asked.split()))
    classes = (is_open & reached) - opened  # what gets modules by name makes objects, or runs whole files
    inner = graph.beside_scripts().difference(is_open, named, methods) if is_program else frozenset[str]()
    fitting = frozenset(name for name, each in told.items() if each.fits)
    return Uses(
        names=names,
        program=is_program,
        unreached=unreached,
        open=is_open,
        classes=classes,
        functions=functions,
        own=named,
        methods=methods,
        scripts=graph.alone(),
        inner=inner,
        fitting=fitting,
        starred=graph.starred(),
        housed=graph.of_programs(),
    )
