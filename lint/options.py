"""The options of `synclint check`, as the command line gives them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of `lint/commands/check.py` under their own names, with `_` for `-`.

    `add_ignore` is the reason to write, and empty without one; `config` has files and assignments, `key = value`.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[str, ...] = ()
    min_confidence: str | None = None
    fail_on: str | None = None
    exit_zero: bool = False
    output_format: str | None = None
    output: tuple[str, ...] = ()
    show_notes: bool = False
    show_all: bool = False
    group_by: str = "program"
    statistics: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    fix_only: bool = False
    diff: bool = False
    show_fixes: bool = False
    write_baseline: bool = False
    prune_baseline: bool = False
    no_baseline: bool = False
    evidence: tuple[str, ...] = ()
    trust_evidence: bool = False
    new_from: str | None = None
    diff_only: str | None = None
    add_ignore: str | None = None
    isolated: bool = False
    config: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    stdin_filename: str | None = None
    show_files: bool = False
    show_settings: bool = False
    watch: bool = False
    no_cache: bool = False
    cache_dir: str | None = None
    jobs: int | None = None
    color: str = "auto"
    quiet: bool = False
    verbose: bool = False

    @property
    def narrows(self) -> bool:
        """Whether some findings of the files are not reported."""
        rules = self.select or self.extend_select or self.ignore or self.per_file_ignores or self.min_confidence
        return bool(rules or self.exclude or self.assignments)

    @property
    def config_file(self) -> str | None:
        """The configuration file to use instead of the nearest one; of several the last."""
        return next((each for each in reversed(self.config) if not _is_assignment(each)), None)

    @property
    def assignments(self) -> tuple[str, ...]:
        """The keys of a configuration that the command line sets, each as a line of TOML."""
        return tuple(filter(_is_assignment, self.config))

    def elsewhere(self) -> Options:
        """Return the options as they are written in another directory: with the absolute name of the configuration."""
        config = (each if _is_assignment(each) else os.path.abspath(each) for each in self.config)
        return replace(self, config=tuple(config))

    @property
    def fixes(self) -> bool:
        """Whether fixes are made, if only to show them."""
        return self.fix or self.fix_only or self.diff

    @property
    def writes_baseline(self) -> bool:
        """Whether the run changes the baseline instead of reporting."""
        return self.write_baseline or self.prune_baseline

    def given(self, *names: str) -> list[str]:
        """Return which of these options were given, as they are written on the command line."""
        return [
            f"--{each.name.replace('_', '-')}" for each in fields(self) if each.name in names and self._has(each.name)
        ]

    def _has(self, name: str) -> bool:
        return getattr(self, name) not in (None, False, ())


def _is_assignment(word: str) -> bool:
    """Whether a word sets a key; what files there are does not matter, since their names may be chosen to deceive."""
    return re.match(r"\s*[\w-]+\s*(\.[^=]+)?=", word) is not None
