"""Writes what the documentation says about rules, keys and severities: `python tests/docs/generate.py`.

Whole files are the pages of the rules; in the README and in the guides it is what stands between two marks,
`<!-- name -->` and `<!-- /name -->`. The project's address is that of `lint/home.py` everywhere. Nothing of it is
written by hand, and a test fails where it is out of date.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from pages import page
from synclint.lint.adoption.initial import HOOK
from synclint.lint.commands.check import command as check
from synclint.lint.facts.autograd import WAITS_IN_BACKWARD
from synclint.lint.finding import Confidence, Frequency, Kind, Level
from synclint.lint.home import HOME, OWNER
from synclint.lint.output.formats.full import render
from synclint.lint.output.outcome import Outcome
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings import keys as read
from synclint.lint.settings.config import KEYS, Settings
from synclint.lint.severity import severity_of

ROOT = Path(__file__).resolve().parent.parent.parent
FREQUENCIES = {
    Level.EVERY_STEP: "every step, or many times per step",
    Level.UNKNOWN: "unknown",
    Level.EVERY_N_STEPS: "every N steps, every epoch, in evaluation, uncalled",
    Level.ONCE: "once, during set-up",
    Level.FAILURE: "on the way to an exception",
}
"""A level -> what it is called; each stands for those that are treated alike."""

ADDRESS = re.compile(r"(https://github\.com/|\buses: )[\w.-]+/synclint\b")
MANIFESTS = (
    ".github/ISSUE_TEMPLATE/config.yml", "CITATION.cff", "Dockerfile", "editors/vscode/README.md",
    "editors/vscode/package.json", "pyproject.toml",
)  # fmt: skip
"""What spells the address, besides the README and the guides."""

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
SHAPES: dict[Any, dict[str, object]] = {
    read.text: TEXT,
    read.device: TEXT,
    read.versions: TEXT,
    read.switch: {"type": "boolean"},
    read.texts: TEXTS,
    read.functions: {"type": "array", "items": {"type": "string", "pattern": r"^\w+(\.\w+)+$"}},
    read.lists_by_pattern: {"type": "object", "additionalProperties": TEXTS},
    read.limits: {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
    read.threshold: {"enum": [*read.LOUDNESS, read.NEVER]},
    read.confidence: {"enum": [each.words for each in Confidence]},
    read.severities: {"type": "object", "additionalProperties": {"enum": [read.OFF, *read.LOUDNESS]}},
}
"""How a key's value is read -> its JSON Schema."""

KINDS = {
    Kind.STALL: "*stall*, the host waits for the device",
    Kind.SETUP: "*setup*, something configured once that waits later, as often as it is used",
    Kind.BUG: "*bug*, a wrong value or an exception",
}


def files() -> dict[Path, str]:
    """Each generated file, or file with generated parts -> what has to stand in it."""
    found = {ROOT / "docs" / "rules" / f"{rule.name}.md": page(rule) for rule in all_rules()}
    for file in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        found[file] = addressed(filled(file.read_text(encoding="utf-8")))
    found[ROOT / "lint/schemas/configuration.json"] = configuration()
    return found | {ROOT / name: addressed((ROOT / name).read_text(encoding="utf-8")) for name in MANIFESTS}


def configuration() -> str:
    """The JSON Schema of a configuration: `[tool.synclint]`, or a synclint.toml."""
    found = {
        name: {"description": item.metadata["help"], **SHAPES[item.metadata["read"]]} for name, item in KEYS.items()
    }
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The configuration of synclint, in synclint.toml or [tool.synclint].",
        "type": "object",
        "additionalProperties": False,
        "properties": found,
    }
    return json.dumps(schema, indent=2) + "\n"


def addressed(text: str) -> str:
    """A text that names the project's address as it is now."""
    return ADDRESS.sub(lambda match: HOME if match[1].startswith("https") else f"{match[1]}{OWNER}/synclint", text)


def filled(text: str) -> str:
    """A text with each of its generated parts made anew."""

    def part(match: re.Match[str]) -> str:
        return f"{match[1]}\n{PARTS[match[2]](text)}\n{match[3]}"

    return re.sub(r"(<!-- ([a-z-]+) -->)\n.*?(<!-- /\2 -->)", part, text, flags=re.DOTALL)


def rules(_: str) -> str:
    """The table of rules."""
    rows = ["| Code | Name | Reports |", "|---|---|---|"]
    for each in all_rules():
        opt_in = "" if each.default else " (opt-in)"
        rows.append(f"| {each.code} | [{each.name}](docs/rules/{each.name}.md) | {each.title}{opt_in} |")
    return "\n".join(rows)


def report(text: str) -> str:
    """What is printed about the text's first program, which is called train.py."""
    result = run([File("train.py", True, _program(text).encode())], Settings(), all_rules(), jobs=1)
    assert not result.failures, result.failures[0].trace
    printed = "\n".join(render(Outcome(result.findings, result.texts.lines))).strip()
    return f"```text\n{printed}\n```"


def _program(text: str) -> str:
    """The first program in a text."""
    return str(re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0])


def sample(_: str) -> str:
    """The first block of what is printed about the README's program."""
    printed = report((ROOT / "README.md").read_text(encoding="utf-8"))
    return printed.partition("\n\n")[0] + "\n```"


def explanation(_: str) -> str:
    """What `synclint explain` prints about a line of the README's program, which is called train.py."""
    command = [sys.executable, "-m", "synclint", "explain", "train.py:11", "--isolated"]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "train.py").write_text(
            _program((ROOT / "README.md").read_text(encoding="utf-8")), encoding="utf-8"
        )
        printed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    return f"```text\n{printed.strip()}\n```"


def keys(_: str) -> str:
    """The keys of a configuration, as they explain themselves."""
    return "\n\n".join(_keys())


def _keys() -> Iterator[str]:
    for name, item in KEYS.items():
        example = item.metadata["example"]
        is_table = " = " in example
        code = f"[tool.synclint.{name}]\n{example}" if is_table else f"{name} = {example}"
        yield f"### {name}\n\n{item.metadata['help']}\n\n```toml\n{code}\n```"


def severities(_: str) -> str:
    """How loud each kind of rule is, by how often the line runs and how sure it is."""
    tables: dict[str, list[str]] = {}
    for kind, words in KINDS.items():
        tables.setdefault(_severities(kind), []).append(words)
    return "\n\n".join(f"{'; '.join(kinds)}:\n\n{table}" for table, kinds in tables.items())


def _severities(kind: Kind) -> str:
    columns = tuple(reversed(Confidence))
    rows = ["| Frequency | " + " | ".join(each.words for each in columns) + " |", "|---|---|---|---|"]
    for level, name in FREQUENCIES.items():
        loud = [severity_of(kind, Frequency(level), each).words.replace("none", "—") for each in columns]
        rows.append(f"| {name} | " + " | ".join(loud) + " |")
    return "\n".join(rows)


def hook(_: str) -> str:
    """The hook that `synclint init --pre-commit` writes."""
    return f"```yaml\nrepos:\n{HOOK}```"


def options(_: str) -> str:
    """The options of `synclint check`."""
    rows = ["| Option | Meaning |", "|---|---|"]
    given = (each for each in check.params if isinstance(each, click.Option))
    rows += [f"| `{', '.join(each.opts)}{_value(each)}` | {each.help} |" for each in given]
    return "\n".join(rows)


def backward(_: str) -> str:
    """What waits in the backward pass."""
    rows = ["| In a forward pass | Waits in its backward pass |", "|---|---|"]
    return "\n".join([*rows, *(f"| `{text}` | {count} |" for text, count in WAITS_IN_BACKWARD.items())])


def _value(option: click.Option) -> str:
    """What an option is given, as people write it."""
    if option.is_flag:
        return ""
    if isinstance(option.type, click.Choice):
        return " " + "\\|".join(option.type.choices)
    word = option.metavar or ("NUMBER" if isinstance(option.type, click.IntRange) else "FILE")
    return word if word.startswith("[=") else f" {word}"


PARTS: dict[str, Callable[[str], str]] = {
    each.__name__: each for each in (rules, report, sample, explanation, keys, severities, hook, options, backward)
}
"""The name between the marks -> what makes the part from the text it stands in."""


def main() -> None:
    """Write all that is out of date, and say so."""
    wanted = files()
    for stale in set((ROOT / "docs" / "rules").glob("*.md")) - set(wanted):
        stale.unlink()
        print(f"removed {stale.relative_to(ROOT)}")
    for file, text in wanted.items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8", newline="\n")
            print(f"wrote {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
