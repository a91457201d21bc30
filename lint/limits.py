"""Limits: all numbers that bound the work, the analysis and the reports, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")


class Limit(int):
    """A number beyond which less is found out; whoever meets it notes that, for `--verbose`.

    `about` says what it is the most of, and what is missing beyond, in words that follow the number.
    """

    about: str

    def __new__(cls, number: int, about: str) -> Limit:
        """Return the limit with this number."""
        limit = super().__new__(cls, number)
        limit.about = about
        return limit

    def met(self) -> bool:
        """Note that there was more. Always true, to follow the test for that."""
        _met[Met(f"{int(self)} {self.about}", _place[0])] = None
        return True

    def is_exceeded(self, number: int) -> bool:
        """Whether a number is larger, which is noted."""
        return number > self and self.met()

    def first(self, items: tuple[T, ...]) -> tuple[T, ...]:
        """Return as many of the items, and note if there are more."""
        return items[:self] if self.is_exceeded(len(items)) else items


class Met(NamedTuple):
    """A limit in words, and the file that was being read or linked when it was met, if there was one."""

    limit: str
    filename: str


_met: dict[Met, None] = {}
_place = [""]


def at(filename: str) -> None:
    """Let what is met from now on be met in that file; an empty name ends it."""
    _place[0] = filename


def note(others: Iterable[Met]) -> None:
    """Note what was met in another process."""
    _met.update(dict.fromkeys(others))


def taken() -> list[Met]:
    """Return what was met since this was asked last."""
    found = [*_met]
    _met.clear()
    return found


def told() -> Iterator[str]:
    """Yield a line for each limit that was met since this was asked last, with the files."""
    where: dict[str, list[str]] = {}
    for limit, filename in sorted(taken()):
        where.setdefault(limit, []).extend([filename] if filename else [])
    for limit, names in where.items():
        more = f" and {len(names) - MOST_LEFT_OUT} more" if len(names) > MOST_LEFT_OUT else ""
        files = f" ({', '.join(names[:MOST_LEFT_OUT])}{more})" if names else ""
        yield f"limit met: {limit}{files}"


# What is known of values.

MOST_OPTIONS: Final = Limit(4, "alternatives of a value, where it becomes unknown")
"""They are joined pairwise wherever branches meet; real code rarely chooses between five types."""
MOST_KINDS: Final = Limit(32, "functions, classes and objects of which a value is one, where it becomes unknown")
"""Programs keep that many models under names, and choose one by a setting."""
DEEPEST_VALUE: Final = Limit(60, "values inside each other, where the outermost becomes unknown")
"""A loop nests them without end: `x = [x]`."""
LARGEST_VALUE: Final = Limit(2_000, "values in a container, where what it holds becomes unknown")
"""Each copy of a container is compared with others, which looks at all of that."""
MOST_ITEMS: Final = Limit(64, "elements of a list or dict that is written out, where only what they share is kept")
"""Longer ones are tables of constants, whose elements are alike."""
MOST_RANK: Final = 7
"""The highest rank with a flag of its own, which also stands for all higher ones; videos have five."""
MOST_KEY: Final = 40
"""Characters of a constant in brackets by which what was bound to `x["key"]` is found again: a name, not a text."""
LARGEST_NUMBER: Final = 60_000
"""Not more than the largest number that a float16 can hold, 65,504."""
MOST_BASES: Final = Limit(10, "base classes in a row, where further ones are not seen")
"""Diamonds are gone through once for each shorter way, and whoever writes classes by hand stops earlier."""
DEEPEST_LISTS: Final = Limit(3, "lists inside each other whose functions are called, where deeper ones are not")
"""Transforms are lists in lists in a list: of a data set, of its phases, of alternatives."""

# Reading one file.

MOST_PASSES: Final = Limit(2, "passes through a loop, where what its names hold went on changing")
"""The second sees what the first has left; inner loops count for each pass of the outer ones, so a third costs much."""
DEEPEST_LOOP: Final = Limit(4, "loops inside each other, where the innermost was read only once")
"""Each level doubles the time."""
MOST_BRANCHES: Final = Limit(4, "branches that give a value, where it is not told which")
"""A condition on a wait names one branch, or a few."""
MOST_OPERANDS: Final = Limit(64, "operands of one `and` or `or`, where later ones count as looked at as often")
"""Each is a region inside of the one before, and generated code has thousands."""
MOST_OPERATORS: Final = 10_000
"""Operators of one chain that are read in a loop, without recursion; the rest is read as a chain of its own."""
MOST_CALLED: Final = Limit(16, "calls in one function that tell what it does, where later ones do not")
"""Each is followed to what it calls in turn; a function with more is a program of its own."""
NEAR_OUTSIDE: Final = 3
"""Folders above a file outside the project that tell what it is: `package/tests/unit/`."""
FEW_FILES: Final = 2
"""With fewer files there is no project: what is defined is used elsewhere."""

# How often code runs.

MOST_CONDITIONS: Final = 5
"""Conditions of a line, of which the outermost are left out: a message with more is not read to its end."""
MOST_WAYS: Final = 2
"""Ways of which one must be gone are told if they are that many: three make no sentence."""
MOST_TOLD: Final = 2
"""Conditions reported for one path where there are other paths."""
MOST_WORDS: Final = 90
"""Characters of two paths reported together: with the rest of a message, they fill a line."""
MOST_NEEDS: Final = 4
"""Arguments that a call must pass for a line to run: all are compared with each call of the function."""
MOST_CALLS: Final = 8
"""Functions around a line of which it is looked up how often they run: for each line inside."""
NEAR: Final = 4
"""Folders above a file that tell what is in it: those further away are about the project, or the machine."""
SMALLEST: Final = 16
"""A part of a whole has at least as many items, if its size is written there: pairs and triples are no such parts."""
MOST_ROUTES: Final = 6
"""Routes to a function, of which the least conditional are kept: with 64, one report in 2,000 says something else."""
MOST_RESOLVED: Final = 40
"""Pairs of routes that are compared for what follows of both; their number grows with the square of the routes."""
MOST_GENERATORS: Final = 3
"""Generators, one in another, through which loops are followed; each asks for all calls of the next."""
MOST_REASONS: Final = 6
"""Reasons that a message names for how often a line runs: nobody follows a longer chain."""

# Linking.

MOST_ON_THE_WAY: Final = Limit(60, "functions on the way from a program; with more it is taken for one that trains")
"""What leads to a loop of use is short: a script, its main function, what that calls."""
MOST_CALLERS: Final = Limit(16, "callers of a function that are asked what they pass, where later ones are not")
"""What sixteen pass says what a parameter is; a helper has thousands."""
MOST_TOLD_APART: Final = 8
"""Calls of a function of which it is told which pass what waits; each is asked for once more."""
MOST_IDLE: Final = 3
"""Calls away that it is looked for what runs a caller; each step asks for all callers."""
DEEPEST_CALLS: Final = Limit(3, "calls inside each other whose results depend on arguments, where deeper ones do not")
"""Each level answers all questions of a function once more."""
MOST_FOLLOWED: Final = Limit(200, "calls of a method by one name, where later ones are not followed to derived classes")
"""Each may run the method of each derived class: of `forward`, thousands times thousands."""
MOST_MADE: Final = Limit(24, "classes of which a function makes one, where it is left open which")
"""Registries of models have hundreds; what is true of all is then true of any."""
DEEPEST_MADE: Final = 2
"""Tuples and dicts inside each other in which objects are made: `return {"train": (model, loader)}`."""
MOST_MAKERS: Final = 4
"""Functions that hand on what another makes: `build` calls `build_model`, which calls `create`."""
MOST_IMPORTS: Final = Limit(100, "names that lead from an import to a definition, where it is not found")
"""Only modules that import everything from each other have more, and those lead in circles."""
MOST_SETTLED: Final = Limit(500, "questions answered anew for circles, where answers may miss what the circle adds")
"""Some lead to other questions each time, and a file has a minute."""
FURTHEST_QUESTION: Final = Limit(4_000, "steps from the first question to the last, whose answer is unknown")
"""Only generated code asks that far, and each step takes room on a stack."""

# Which files are read, and how they are fixed.

MOST_FILES: Final = Limit(20_000, "files in the project around what is checked, where none of them is read")
"""A folder with more is hardly a single project, and reading it would cost more than it helps."""
LARGEST_FILE: Final = 100 << 20
"""Bytes of a file that is read; GitHub takes none that is larger either. It is reported."""
LARGEST_SETTINGS: Final = 16 << 20
"""Bytes of a file that says how a project is set up; the largest lock files have a few million. It is an error."""
LARGEST_OF_OPTIONS: Final = 64 << 10
"""Bytes of a file that may set options: a larger one holds data."""
MOST_SETTINGS: Final = Limit(500, "files beside the code that may set options, where later ones are not read")
"""Reading them takes a few milliseconds, before each run."""
DEEPEST_SETTINGS: Final = 4
"""Folders below a project's top in which they are looked for: `experiments/imagenet/configs/large/`."""
LONGEST_PATTERN: Final = Limit(4096, "characters of a pattern for files, where it matches nothing")
"""No path is longer."""
MOST_MAGICS: Final = Limit(20, "cell magics of one cell, where later ones count as code")
"""Nobody times the timing of a profile for much longer."""
LONGEST_FIXED: Final = Limit(8_000, "characters of an expression, where it is not fixed")
"""LibCST parses it anew for each fix; no code that people write is longer."""
DEEPEST_FIXED: Final = Limit(60, "expressions inside each other, where they are not fixed")
"""LibCST's time grows with the square of the nesting, and its stack with it; no code that people write is deeper."""
MOST_ROUNDS: Final = Limit(100, "rounds of fixes, where more would follow")
"""A fix can make others possible, but only a rule that never ends needs more."""
MOST_SLICES: Final = 8
"""Elements that are selected one by one: more are better selected by a buffer of indices."""

# What is told: the report says that more is there, or does not need it.

LONGEST_QUOTATION: Final = 80
"""Characters of quoted code; a longer one is cut, with `…`."""
LEAST_QUOTATION: Final = 4
"""What has less room is omitted entirely: `a(…)` is the shortest meaningful form."""
LONGEST_QUOTED: Final = 4_000
"""Characters of code of which a quotation is made; of more, only the two ends are considered."""
LONGEST_CONDITION: Final = 60
"""Characters of a quoted condition: it stands inside of a sentence."""
WIDEST_REPORT: Final = 100
"""Characters of a line where no terminal says how wide it is."""
LEAST_WIDTH: Final = 40
"""Characters of a line in a narrower terminal: its own wrapping is no worse."""
MOST_PLACES: Final = 3
"""Places listed for a repeated statement; the rest are counted."""
MOST_FIRST: Final = 5
"""Places to look at first: no more are kept in mind."""
MOST_CALLS_TOLD: Final = 2
"""Calls reported on the path to a line, the nearest ones; `explain` prints all."""
WIDEST_EXCERPT: Final = 160
"""Characters of a line that is shown; a longer one is cut to the part around the finding."""
MOST_CAUSES: Final = 5
"""Causes in the summary; the rest are counted."""
FEWEST_OF_CAUSE: Final = 2
"""Findings that put a cause into the summary: a single finding names its own."""
ENOUGH_PASSES: Final = 20
"""Times that a line ran without a wait after which it is said: an epoch of a small run has as many steps."""
MOST_ANNOTATIONS: Final = 10
"""Annotations of each type that GitHub shows for a step; the rest are counted."""
MOST_RESULTS: Final = 5_000
"""Results of a run that GitHub shows; the file says how many are omitted."""
MOST_FLOW_STEPS: Final = 1_000
"""Steps of a code flow that GitHub shows; the file says how many are cut."""
LONGEST_DESCRIPTION: Final = 1_000
"""Characters of a rule's description: GitHub truncates them at 1,024."""
LARGEST_SUMMARY: Final = 1024 * 1024 - 1024
"""GitHub rejects a summary of more than 1 MiB; some of that is left for what others write after us."""
MANY_FILES: Final = 100
"""A progress bar is shown for runs over more files than this: fewer take a second or two."""
MOST_LEFT_OUT: Final = 3
"""File names in a message; the rest are counted."""
LONGEST_STATEMENT: Final = 200
"""Characters of a statement in a baseline: a longer one is truncated and identified by a digest."""

# What is exchanged with other programs, and kept between runs: beyond that is an error, or work is done again.

LARGEST_ANSWER: Final = 1 << 30
"""Bytes of an answer of git: trees that contain a tree twice, and that another, have no end."""
LARGEST_COMPLAINT: Final = 1 << 16
"""Bytes of what git complains of; one line of it is shown."""
MOST_LINKS: Final = 40
"""A path with more symbolic links is one that systems do not follow."""
MOST_BUILD_STEPS: Final = 256
"""Steps of a graph for ninja: more than machines have processors would save nothing."""
LARGEST_PART: Final = 1 << 32
"""Bytes of a summary or of findings on their way between steps; it is read as a whole."""
LONGEST_HEADER: Final = 16
"""Lines of the head of such a file."""
ENOUGH_FILES: Final = 200
"""With fewer files than this, starting processes costs more than it saves."""
ENOUGH_BYTES: Final = 100_000
"""The same for what is analysed once more after a fix."""
MOST_TEXTS: Final = 32
"""Texts of files that are kept in memory; the oldest is read again."""
MOST_CHANGED: Final = 50
"""If more files have changed, what all of them tell is compared, which is then cheaper."""
MOST_ASKED: Final = 2_000
"""If more questions may have other answers, none is asked before the files are linked that have asked it."""
MOST_RUNS: Final = 16
"""Results of whole runs that are kept; the oldest are removed first. Each set of paths has its own."""
MOST_VERSIONS: Final = 3
"""Versions of the linter whose entries are kept: an editor, a hook and a command line may each have another."""
DEEPEST_STORED: Final = 400
"""How deep stored data may be nested: what goes through it must not exhaust the stack."""
LARGEST_STORED: Final = 200_000
"""How much a stored value may hold, where what it holds twice counts twice: comparing values looks at all of that."""
LARGEST_INTEGER: Final = 1 << 31
"""Integers of stored data lie below: numbers of rows and columns do."""
LARGEST_ENTRY: Final = 1 << 28
"""Bytes of one file in the cache that is read: only somebody else's is larger."""
