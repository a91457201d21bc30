"""Classes of other files that a dict keeps under names are known when one of them is made by its name."""

from __future__ import annotations

from collections.abc import Callable

from synclint.lint.finding import Finding, Severity

NAMES = ("Euler", "Heun", "Midpoint", "Adams", "Bosh", "Fehlberg", "Dopri", "Radau", "Tsit")


def test_methods_of_whichever_is_made(linted: Callable[..., list[Finding]]) -> None:
    solvers = "class Solver:\n    def end(self, times):\n        return times[-1].item()\n"
    solvers += "class Other:\n    def end(self, times):\n        return times\n"
    solvers += "".join(f"class {name}(Solver):\n    pass\n" for name in NAMES)
    table = ", ".join(f"{name!r}: {name}" for name in NAMES)
    use = f"from solvers import {', '.join(NAMES)}\nSOLVERS = {{{table}}}\n"
    use += "def step(x, name):\n    solver = SOLVERS[name]()\n    return solver.end(x.cuda())\n"
    (found,) = linted(solvers=solvers, use=use)
    assert (found.code, found.span.row, found.severity) == ("SYNC101", 3, Severity.ERROR)
