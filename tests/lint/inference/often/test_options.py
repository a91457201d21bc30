"""Flags that are off unless somebody asks for them, as far as the file's text shows."""

from __future__ import annotations

import ast

import pytest
from synclint.lint.inference.often.options import flag_in, off_by_default
from synclint.lint.limits import MOST_FLAGS

OFF = "def f(x, debug=False, *, n: bool = False): ...\n"

TEXTS = {
    "": {"debug", "n"},
    "f(1, debug = True)": {"n"},
    "f(1, debug=debug, n=self.n)": {"debug", "n"},
    "f(1, n=args.verbose)": {"debug"},
    "in_debug = begin = True": {"debug", "n"},
    "debugging = n == True": {"debug", "n"},
    "debug: bool = True": {"n"},
    "'''>>> f(1, n=1)'''": {"debug"},
}


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_set_in_the_text_is_no_longer_off(text: str) -> None:
    source = OFF + text
    assert off_by_default(ast.parse(source), source) == TEXTS[text]


COMMAND_LINE = """
parser.add_argument("-n", "--add-noise", action="store_true", help="...")
parser.add_argument("--plot", default=True, action="store_true")
parser.add_argument("--use_cuda", action="store_true")
parser.add_argument("--clip", type=float)
parser.add_argument('--visdom', default=False, type=str2bool, help='losses (drawn)')
parser.add_argument("--quick", action="store_true", default=False)
"""


def test_options_of_the_command_line_are_off_unless_they_are_given() -> None:
    assert off_by_default(ast.parse(COMMAND_LINE), COMMAND_LINE) == {".add_noise", ".visdom", ".quick"}
    text = f"{COMMAND_LINE}\nargs.add_noise = args.visdom = args.quick = True"
    assert off_by_default(ast.parse(text), text) == frozenset()


@pytest.mark.parametrize(
    ("test", "holds", "flag"),
    [("args.plot", True, ".plot"), ("self.args.plot", True, ".plot"), ("not args.plot", False, ".plot"),
     ("self.plot", True, "plot"), ("plot and x", True, "plot"), ("args.plot", False, None)],
)  # fmt: skip
def test_a_condition_asks_for_a_flag(test: str, holds: bool, flag: str | None) -> None:
    assert flag_in(ast.parse(test, mode="eval").body, holds) == flag


def test_a_file_of_nothing_but_flags_is_not_searched_for_each() -> None:
    source = "".join(f"def f{at}(flag{at}=False): ...\n" for at in range(MOST_FLAGS + 1))
    assert off_by_default(ast.parse(source), source) == frozenset()
