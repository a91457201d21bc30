"""Masks the syntax that only IPython understands: magics, shell commands and help.

Nothing moves: every row stays, and Python code keeps its column. Only the beginning of a statement is examined, so that
neither an operator at the start of a line inside brackets nor the inside of a string is mistaken for a magic.

Source: IPython's documentation, "IPython reference" and "Built-in magic commands" (8.x); for the cell magics of other
packages, their own, as named below.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import Final

from ..limits import MOST_MAGICS

PYTHON_CELLS: Final = frozenset(
    [
        *("capture", "debug", "prun", "time", "timeit"),
        *("ipytest", "memit", "pyinstrument", "scalene", "snakeviz", "wandb"),
    ]
)
"""Cell magics that run the cell as Python among the other cells' names: those of IPython, and of other packages.

`%%python` and the like run it in a separate process; it counts as foreign, as does what `%%writefile` writes.
"""


_CELL: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?P<magic>%%(?P<name>\w+)[^\n]*)")
_INDENTED: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]+[^\s#]")
_TIMED: Final = re.compile(
    r"\s*(?P<magic>%(?:time|timeit|prun|memit)\b"
    r"(?:\s+(?:-[nrpil]\s*\d+|-[sTD]\s*\S+|-[a-zA-Z]+\b|--[\w-]+))*)(?P<statement>\s+\S.*)"
)
_ASSIGNED: Final = re.compile(r"(?P<target>[\w*(\[](?:[\w.,*()\[\]'\" \t]*[\w)\]'\",])?)\s*=\s*(?:!|%\w)")
_ESCAPED: Final = re.compile(r"[!%?]|[/,;]\w")
_HELP: Final = re.compile(r"[%\w*][^#'\"]*\?\s*(?:;\s*)?$")
_AUTOMATIC: Final = re.compile(r"(?:pip3?|uv|conda|mamba|cd|ls|ll|mkdir|cat|cp|mv|rm)[ \t]+[^\s=(:,;)\]]")
_TOKEN: Final = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)|' + r"'''(?:\\.|[^\\])*?(?:'''|\Z)|"
    r'"(?:\\.|[^"\\\n])*"?|' + r"'(?:\\.|[^'\\\n])*'?|#[^\n]*|(?P<open>[(\[{])|(?P<close>[)\]}])|\\\n|(?P<end>\n)",
    re.DOTALL,
)


def python(cell: str) -> str:
    """Return the cell as Python, with the same number of rows; blank if it is in another language.

    It may need the preceding line that `opening` returns. Raises SyntaxError (whose rows include that line),
    ValueError, RecursionError or MemoryError if it is not Python even then.
    """
    if _is_python(cell):
        return cell
    text = _without_cell_magics(cell)
    if text is None:
        return "\n" * cell.count("\n")
    text = _masked(text)
    _parse(text)
    return text


def opening(cell: str) -> str:
    """Return what has to precede a cell of Python: IPython accepts one that is indented as a whole."""
    return "if 1:" if _INDENTED.match(cell) else ""


def _is_python(text: str) -> bool:
    try:
        _parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _parse(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(f"{opening(text)}\n{text}")


def _without_cell_magics(cell: str) -> str | None:
    """Return the cell with blanks for `%%time` and the like; None if a magic takes the rest for something else."""
    for _ in range(MOST_MAGICS):
        match = _CELL.match(cell)
        if match is None:
            break
        if match["name"] not in PYTHON_CELLS:
            return None
        cell = cell[: match.start("magic")].rstrip(" \t") + cell[match.end() :]
    else:
        MOST_MAGICS.met()
    return cell


def _masked(text: str) -> str:
    """Return the text with every statement that only IPython understands replaced."""
    kept: list[str] = []
    at = 0
    while at < len(text):
        line = text[at : _end_of_line(text, at)]
        instead = _instead(line, line.endswith("\\") and at + len(line) < len(text))
        if instead is None:
            end = _end_of_statement(text, at)
            kept.append(text[at:end])
        else:
            end = _end_of_continued(text, at)
            kept.append(instead + "\n" * text.count("\n", at, end))
        at = end
    return "".join(kept)


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _end_of_continued(text: str, at: int) -> int:
    """Return where the last of the lines joined by backslashes to this one ends."""
    end = _end_of_line(text, at)
    while end < len(text) and text.endswith("\\", at, end):
        at = end + 1
        end = _end_of_line(text, at)
    return min(end + 1, len(text))


def _instead(line: str, is_continued: bool) -> str | None:
    """Return what replaces a line that only IPython understands; None for Python."""
    bare = line.lstrip()
    indent = line[: len(line) - len(bare)]
    if (timed := _TIMED.match(line)) and not is_continued:
        return _timed(timed, indent) or f"{indent}pass"
    if _ESCAPED.match(bare) or _HELP.match(bare) or (_AUTOMATIC.match(bare) and not _is_python(bare)):
        return f"{indent}pass"
    if assigned := _ASSIGNED.match(bare):
        return f"{indent}{assigned['target']} = get_ipython()"  # nothing is known about what IPython returns
    return None


def _timed(match: re.Match[str], indent: str) -> str | None:
    """Return the statement that a magic times, in its place; it keeps its column after a constant."""
    statement = match["statement"]
    if not _is_python(f"0;{statement}"):
        return None
    return f"{indent}0;{' ' * (len(match['magic']) - 2)}{statement}"


def _end_of_statement(text: str, at: int) -> int:
    """Return where the statement's last line ends, taking brackets, strings and backslashes into account."""
    depth = 0
    for token in _TOKEN.finditer(text, at):
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth = max(depth - 1, 0)
        elif token["end"] and not depth:
            return token.end()
    return len(text)
