"""Flags that are off unless somebody asks for them, as far as the file's text shows."""

from __future__ import annotations

import ast

import pytest
from synclint.lint.inference.often.options import MOST_FLAGS, off_by_default

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


def test_a_file_of_nothing_but_flags_is_not_searched_for_each() -> None:
    source = "".join(f"def f{at}(flag{at}=False): ...\n" for at in range(MOST_FLAGS + 1))
    assert off_by_default(ast.parse(source), source) == frozenset()
