"""What only IPython understands is masked; what is Python stays as it is, where it is."""

from __future__ import annotations

import ast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from synclint.lint.files.magics import opening, python

MASKED = {
    "%matplotlib inline": "pass",
    "!pip install torch": "pass",
    "!!ls": "pass",
    "?torch.nn": "pass",
    "torch.nn?": "pass",
    "torch.nn??": "pass",
    "%%time": "",
    "%%time\nx = 1": "\nx = 1",
    "# a title\n\n  %%capture out\nx = 1": "# a title\n\n\nx = 1",
    "%%capture\n%%timeit -n 3\nx = 1": "\n\nx = 1",
    "/print 3": "pass",
    ";f a b": "pass",
    "pip install -q torch": "pass",
    "cd ..": "pass",
    "files = !ls": "files = get_ipython()",
    "a, b['x'] = %magic 1 2": "a, b['x'] = get_ipython()",
    "if x:\n    !ls\ny = 1": "if x:\n    pass\ny = 1",
    "!a 'b \\\n  c \\\nd\nx = 1": "pass\n\n\nx = 1",
    "%time y = f(x)": "0;    y = f(x)",
    "  %timeit -n 10 -r3 f(x)": "  0;                f(x)",
    "%prun -s cumulative -l 5 f(x)": "0;                       f(x)",
    "%time": "pass",
    "%time for x in y: f(x)": "pass",
    "%%bash\nls 'x\nfi": "\n\n",
    "%%writefile a.py\nx = 1\n": "\n\n",
    "x = f(a\n%b)\n!ls": "x = f(a\n%b)\npass",
    's = """\n!ls\n%x\n"""\n!ls': 's = """\n!ls\n%x\n"""\npass',
    "s = 'a\\\n!b'\n!c": "s = 'a\\\n!b'\npass",
    "x = 'it''s'  # don't\n!ls": "x = 'it''s'  # don't\npass",
    "x = 1 \\\n%2\n!ls": "x = 1 \\\n%2\npass",
    "x = [\n  # (\n  ')',\n!ls": None,
    "def f(:": None,
    "x = 1\n   y = 2": None,
}

PYTHON = [
    "",
    "\n\n",
    "# %%bash",
    "x = (3\n%4)",
    "s = '''\n%%bash\n!ls\nwhat?\n'''",
    "s = 'x!' '?'",
    "ls -la",
    "pip = 3",
    "cat [1]",
    "x = a \\\n%b",
    "await f()",
    "async with a: pass",
    "f'{x!r}'",
    "a != b",
    "x;",
]


@pytest.mark.parametrize("cell", MASKED, ids=repr)
def test_masked(cell: str) -> None:
    expected = MASKED[cell]
    if expected is None:
        with pytest.raises(SyntaxError):
            python(cell)
    else:
        assert python(cell) == expected


@pytest.mark.parametrize("cell", PYTHON, ids=repr)
def test_python_is_left_alone(cell: str) -> None:
    assert python(cell) == cell


def test_an_indented_cell_needs_a_line_before_it() -> None:
    cell = "\n  # why\n  x = 1\n  !ls\n"
    masked = python(cell)
    assert masked == cell.replace("!ls", "pass")
    ast.parse(f"{opening(masked)}\n{masked}")
    assert opening("x = 1") == opening("# x\n\nx") == opening("") == opening("   \n") == ""


PIECES = [
    "!",
    "%",
    "%%",
    "%%time\n",
    "?",
    "\n",
    "\n",
    "    ",
    "x",
    " = ",
    "'",
    '"""',
    "(",
    ")",
    "\\\n",
    "#",
    "f'{",
    "}",
    "é",
]
PIECES += ["é", "if x:\n", "pip install", "%timeit -n 3 ", ",", ";", "/f", "y()", "\x0c", "\0", "\u2028", "\ud800"]


@example("!\\\n")
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_rows_stay_and_the_rest_is_python(cell: str) -> None:
    try:
        masked = python(cell)
    except (SyntaxError, ValueError):
        return
    assert masked.count("\n") == cell.count("\n")
    ast.parse(f"{opening(masked)}\n{masked}")
