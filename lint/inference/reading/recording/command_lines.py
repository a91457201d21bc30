"""Records the options that a file adds to a command line, as attributes of what parsing it returns."""

from __future__ import annotations

from ...library.command_lines import declared, default_of, defaults
from ...values.arguments import Arguments
from ...values.union import Instance
from ..state.frame import Frame


def note_options(frame: Frame, method: str, arguments: Arguments) -> None:
    """Record what a method of a parser tells about options; a parser that is passed in belongs to this file, too."""
    if method == "add_argument":
        option = declared(arguments)
        found = [] if option is None else [option]
        if option is not None and (default := default_of(arguments)) is not None:
            frame.file.summary.options.setdefault(option[0], []).append(default)
    elif method == "set_defaults":
        found = defaults(arguments)
    else:
        return
    for name, value in found:
        frame.file.set_attribute(Instance(frame.file.options()), name, value)
