"""Parsers of command lines.

Sources: Python 3.13 `argparse`; ConfigArgParse 1.7 and jsonargparse 4.41, whose parsers are derived from its parser.
"""

from __future__ import annotations

PARSER = "argparse.ArgumentParser"
OPTIONS = "argparse.Namespace"

KINDS: dict[str, str] = {
    PARSER: "parser",
    "configargparse.ArgumentParser": "parser",
    "configargparse.ArgParser": "parser",
    "jsonargparse.ArgumentParser": "parser",
    OPTIONS: "options",
}
"""Full name of a class -> the kind of its instances."""

ADDERS = frozenset((
    "add_argument_group", "add_mutually_exclusive_group", "add_subparsers", "add_parser", "register", "groups",
))  # fmt: skip
"""Methods that return what adds options to the same command line."""

PARSING = frozenset(("parse_args", "parse_intermixed_args"))
PARSING_KNOWN = frozenset(("parse_known_args",))
"""Methods that return the options; the latter with a list of the words that are none."""

SWITCHES: dict[object, bool] = {"store_true": False, "store_false": True}
"""Actions of options that are flags -> what the flag is if it is not given. Source: Python 3.14 `argparse`."""

FLAGS = frozenset(SWITCHES)
LISTS = frozenset(("append", "append_const", "extend"))
"""Actions by what they make of an option: a bool, a list."""
