"""The options of `synclint check`, as the command line gives them."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of `lint/commands/check.py` under their own names, with `_` for `-`.

    `add_ignore` is the reason to write, and empty without one.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
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
    config: str | None = None
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    stdin_filename: str | None = None
    show_files: bool = False
    show_settings: bool = False
    watch: bool = False
    no_cache: bool = False
    cache_dir: str | None = None
    jobs: int | None = None
    no_color: bool = False
    quiet: bool = False
    verbose: bool = False

    @property
    def narrows(self) -> bool:
        """Whether some findings of the files are not reported."""
        return bool(self.select or self.extend_select or self.ignore or self.min_confidence or self.exclude)

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
