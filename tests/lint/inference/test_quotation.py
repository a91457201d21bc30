"""How reports quote expressions: on one line, and a long one without its middle."""

from __future__ import annotations

import pytest
from synclint.lint.inference.notes.quotation import quotation
from synclint.lint.limits import LONGEST_QUOTATION, LONGEST_QUOTED

LONG = "a_name_that_takes_quite_some_room"

SHORT = {
    "x.item()": "x.item()",
    "x [ 0 ]": "x [ 0 ]",
    "x[\n    a, ...\n]": "x[a, ...]",
    "f(\n    x,  # why ) not\n    y,\n)": "f(x, y)",
    "f(\n    (1,\n    ),\n    {2: 3,\n    },\n)": "f((1,), {2: 3})",
    "x[\n    a,\n]": "x[a,]",
    "(x\n    .sum()\n    .item())": "(x.sum().item())",
    "x in (\n    a,\n)": "x in (a,)",
    "a + \\\n    b": "a + b",
    'f(\'# (\',\n  """two\n  lines""")': 'f(\'# (\', """two lines""")',
}

CUT = {
    f"tokenizer(\n    prompt,\n    {LONG}={LONG},\n    truncation=True,\n).to(device)": (
        "tokenizer(prompt, …, truncation=True).to(device)"
    ),
    f"torch.arange({LONG}, {LONG}).repeat_interleave({LONG}, dim=0)": (
        f"torch.arange(…).repeat_interleave({LONG}, dim=0)"
    ),
    f"float(torch.sum({LONG} * {LONG} * {LONG}))": "float(torch.sum(…))",
    f"torch.tensor([{LONG}(x) for x in {LONG}], device=device)": "torch.tensor([…], device=device)",
    f"f('({LONG})', {LONG}, {LONG}).cpu()": f"f(…, {LONG}, {LONG}).cpu()",
    f"{LONG} + {LONG} + {LONG}": f"{LONG} + a_n…room + {LONG}",
}


@pytest.mark.parametrize(("source", "wanted"), SHORT.items())
def test_a_short_source_stands_on_one_line(source: str, wanted: str) -> None:
    assert quotation(source) == wanted


@pytest.mark.parametrize(("source", "wanted"), CUT.items())
def test_a_long_source_keeps_the_operation_at_its_end(source: str, wanted: str) -> None:
    assert quotation(source) == wanted


@pytest.mark.parametrize(
    "source",
    [
        "(" * 3_000 + ")" * 3_000,
        "f(" * 90 + "x" + ")" * 90,
        "+".join(["a(bbbb)"] * 500),
        ")" * 99,
        "x" * (2 * LONGEST_QUOTED),
    ],
)
def test_no_source_is_too_strange(source: str) -> None:
    assert 0 < len(quotation(source)) <= LONGEST_QUOTATION
