"""What is shown over an expression."""

from __future__ import annotations

from synclint.lint.finding import Frequency, Level, Reason, Span
from synclint.lint.inference.explain import Known
from synclint.lint.server.hover import hover


def test_code_stays_as_it_is_and_the_rest_is_no_markup() -> None:
    reason = Reason("`prediction_step` of *my_class* runs every step; a ` alone", None)
    often = Frequency(Level.EVERY_STEP, (reason,), conditions=("args.use_mix",))
    text = hover([], Known("x", Span("f.py", 1, 1, 1, 2), None, (), often), str)  # type: ignore[arg-type]
    assert "This line runs: every step where `args.use_mix`\n" in text
    assert "- `prediction_step` of \\*my\\_class\\* runs every step; a \\` alone" in text
