"""What linking has read, and what of it an edit makes out of date."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from synclint.lint.inference.linking.again.graph import Graph, Lists
from synclint.lint.inference.linking.again.trace import QUESTION, Trace, confirm
from synclint.lint.inference.linking.index.reads import KNOWN, Compared, Fact, Kept, ReadBy, Reads, Subject


class Told(Compared):
    """Says that some facts are told differently."""

    def __init__(self, *facts: Fact) -> None:
        self.facts = facts

    def suspects(self, kind: str, subjects: Sequence[Subject]) -> Iterable[int]:
        return range(len(subjects))

    def holds(self, fact: Fact) -> bool:
        return tuple(fact) not in self.facts


def read() -> Reads:
    """Two files that ask `one`, which reads `function a` and asks `two`, which reads `function b` and `bases b`."""
    reads = Reads()
    a, b, bases = (reads.fact(each) for each in (("function", "a"), ("function", "b"), ("bases", "b")))
    two = reads.question([b, bases])
    alone = reads.question([b])
    nothing = reads.question([])
    one = reads.question([a, two, alone, nothing])
    for name, numbers in {"first.py": [one], "second.py": [one, two], "third.py": [alone]}.items():
        reads.begin_file(name)
        reads.current.extend(numbers)
    reads.keep([Kept("b", "()", two, 1), Kept("a", "()", one, 2)])
    return reads


def test_questions_that_have_read_one_thing_or_none_are_left_out() -> None:
    graph, numbers = Graph.of(read())
    assert graph.facts == {"function": ["a", "b"], "bases": ["b"]}
    assert [sorted(each) for each in graph.questions] == [[1, 2], [0, 1, 3]]
    assert dict(zip(graph.names, map(sorted, graph.files))) == {
        "first.py": [4],
        "second.py": [3, 4],
        "third.py": [1],
    }
    assert numbers == [-1, 0, 1, 2, 3, 1, 4]
    assert [[*each] for each in Graph.read(graph.stored()).questions] == [[*each] for each in graph.questions]


def test_a_question_whose_answer_is_kept_is_not_left_out() -> None:
    reads = Reads()
    alone = reads.question([reads.fact(("function", "a"))])
    reads.keep([Kept("a", "()", alone, 1)])
    assert Graph.of(reads)[1] == [-1, 0, 1]


def test_long_lists_are_stored_in_many_texts() -> None:
    lists = Lists()
    for count in (25_000, 0, 1):
        lists.add(range(count))
    texts = lists.texts()
    assert list(map(len, texts)) == [1, 3]
    assert [[*each] for each in Lists(*texts)] == [[*range(25_000)], [], [0]]


def test_what_was_read_can_be_let_go_but_for_the_answers() -> None:
    reads = read()
    reads.let_go()
    assert (reads.many, [*reads.facts], [*reads.questions], [*reads.files]) == (1, [], [], [])
    assert [each.about for each in reads.answers] == ["b", "a"]


def begun() -> Trace:
    return Trace(Graph.of(read())[0], ReadBy({}, {}), ReadBy({}, {}), frozenset())


def test_who_has_asked_what_has_another_answer_is_reached() -> None:
    compared = Told(("bases", "b"))
    trace, outdated = begun().after(compared)
    assert trace.stale == {2}
    assert outdated.keys() == {2, 3, 4}
    asked = []
    confirm(outdated, trace.stale, {3, 4}, lambda number: bool(asked.append(number)))
    assert asked == [3, 4]
    assert trace.readers(compared, outdated) == {"first.py", "second.py"}


def test_who_has_asked_what_has_the_same_answer_is_not() -> None:
    compared = Told(("bases", "b"))
    trace, outdated = begun().after(compared)
    asked = []
    confirm(outdated, trace.stale, {3, 4}, lambda number: not asked.append(number))
    assert asked == [3]  # all that the other has read is as it was then
    assert trace.readers(compared, outdated) == set()


def confirmed() -> Trace:
    """The trace after an edit: question 3 has been asked again and has read `function c` and, as before, question 4."""
    trace, outdated = begun().after(Told(("bases", "b")))
    confirm(outdated, trace.stale, {3}, lambda number: True)
    reads = Reads()
    reads.begin_file(f"{QUESTION}3")
    reads.current.extend([reads.fact(("function", "c"))])
    reads.begin_file("third.py")
    reads.current.extend([reads.fact((KNOWN, "4"))])
    return trace.with_later(reads.by_file(), {"first.py", "second.py", "third.py"}, outdated)


def test_what_has_been_confirmed_depends_on_what_it_has_read_then() -> None:
    trace = confirmed()
    assert trace.after(Told())[1].keys() == {2}
    assert trace.after(Told(("function", "c")))[1].keys() == {2, 3, 4}
    compared = Told(("function", "a"))
    after, outdated = trace.after(compared)
    assert outdated.keys() == {0, 2, 4}
    assert after.readers(compared, outdated) == {"first.py", "second.py", "third.py"}


def test_what_has_another_answer_is_not_asked_again() -> None:
    trace, outdated = begun().after(Told(("bases", "b")))
    confirm(outdated, trace.stale, {3}, lambda number: False)
    reads = Reads()
    reads.begin_file(f"{QUESTION}3")
    assert trace.with_later(reads.by_file(), (), outdated).stale == {2, 3}


def test_all_in_one_tells_the_same() -> None:
    trace = confirmed()
    graph, answers = trace.whole({"first.py", "third.py"}, [Kept("b", "()", 3, "value"), Kept("c", "()", -1, "none")])
    (about, what, number, value), last = answers
    assert (about, what, value) == ("b", "()", "value")
    assert last.number == -1
    for fact, files in {
        ("function", "a"): {"first.py", "third.py"},
        ("function", "c"): {"first.py", "third.py"},
        ("function", "b"): {"first.py", "third.py"},
        ("bases", "b"): set(),
    }.items():
        compared = Told(fact)
        after, outdated = Trace(graph, ReadBy({}, {}), ReadBy({}, {}), frozenset()).after(compared)
        assert after.readers(compared, outdated) == files
        assert (number in outdated) == (fact == ("function", "c"))
