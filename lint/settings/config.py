"""The settings of a run: `[tool.synclint]` in the nearest pyproject.toml, or a synclint.toml."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from ..declared import DEEDS, DEFAULT_DEVICE, Fact, facts_of
from ..finding import Confidence, Severity
from ..plugins.known import facts
from ..rule import Rule
from .keys import (
    confidence,
    device,
    functions,
    key,
    library,
    limits,
    lists_by_pattern,
    rules,
    severities,
    switch,
    text,
    texts,
    threshold,
)
from .options_set import OptionsSet
from .selection import WITHOUT_REASON, Layer, selects
from .versions import LIBRARIES, Versions, allowed, demanded


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings; the fields with metadata are the keys of a configuration file, with `-` for `_`.

    `root` is the directory that patterns are relative to; `pins` are the requirements of the project itself, by
    library; `is_installable` says that others can install the project, and call what its packages give them,
    `options_set` what its scripts and settings files set, `is_closed` that nothing but the files of the run calls what
    is in them. Patterns are those of gitignore files.
    """

    select: tuple[str, ...] = rules(
        "Rules to use instead of the default set, by code, prefix or name.", '["SYNC1", "cpu-metric-under-ddp"]'
    )
    extend_select: tuple[str, ...] = rules("Additional rules to use.", '["explicit-synchronize"]')
    ignore: tuple[str, ...] = rules("Rules to disable.", '["tensor-in-text"]')
    per_file_ignores: Mapping[str, tuple[str, ...]] = key(
        lists_by_pattern,
        "A table from file patterns to rules that are not reported there.",
        '"tests/**" = ["SYNC1"]',
        dict,
        lambda table: (each for selectors in table.values() for each in selectors),
    )
    max_findings: Mapping[str, int] = key(
        limits,
        "A table from file patterns to the number of errors and warnings allowed there. They are shown but do not "
        "make a run fail; one more does, whatever fail-on is. If there are fewer, a note says that the number can be "
        "lowered. Findings that are suppressed or in the baseline do not count; notes count if fail-on is note; a file "
        "counts for each pattern that matches it. With --new-from and --diff-only the numbers are ignored.",
        '"src/train/**" = 12',
        dict,
    )
    exclude: tuple[str, ...] = key(texts, "Patterns of files and directories that are not checked.", '["third_party/"]')
    extend: str = key(
        text,
        "Another configuration file, whose settings apply to all keys that this one does not set.",
        '"../synclint.toml"',
        str,
    )
    fail_on: Severity | None = key(
        threshold,
        "The minimum severity that makes a run fail: note, warning, error or never. Errors are certain and seen to run "
        "every step; warnings rest on an assumption, except those about comments and files, which fail like errors.",
        '"error"',
        lambda: Severity.ERROR,
    )
    min_confidence: Confidence = key(
        confidence,
        "The minimum confidence that is reported: possible, likely or certain.",
        '"likely"',
        lambda: Confidence.LIKELY,
    )
    severity: Mapping[str, Severity] = key(
        severities,
        "A table from rules to the severity of their findings: off, note, warning or error.",
        'SYNC103 = "note"',
        dict,
        tuple,
    )
    evidence: tuple[str, ...] = key(
        texts,
        "Files of evidence, relative to the configuration, that `synclint run --record` has written: what waited in "
        "recorded runs is reported first. What is no file is left out.",
        '[".synclint/evidence.json"]',
    )
    fixable: tuple[str, ...] = rules("Rules whose findings --fix may fix; all if none is named.", '["SYNC3"]')
    unfixable: tuple[str, ...] = rules("Rules whose findings --fix leaves alone.", '["SYNC203"]')
    require_reason: bool = key(
        switch, "Whether suppressions must give a reason; the same as SYNC903 in extend-select.", "true", bool
    )
    hot_functions: tuple[str, ...] = key(texts, "Names of functions that run every step.", '["decode_one_token"]')
    cold_functions: tuple[str, ...] = key(texts, "Names of functions that never run in a step.", '["export"]')
    gpu_names: tuple[str, ...] = key(texts, "Names of variables and attributes that hold a GPU device.", '["self.dev"]')
    default_device: str = key(
        device,
        "The device of tensors that are made without one, if a launcher, a framework or a conftest sets it. Where the "
        "code itself sets a default device, that one applies.",
        '"cuda"',
        lambda: DEFAULT_DEVICE,
    )
    allowed_contexts: tuple[str, ...] = key(
        texts, "Names of context managers in whose bodies waits are intended.", '["allow_sync"]'
    )
    plugins: tuple[str, ...] = key(
        texts,
        "Plugins, whose rules and facts are used: installed distributions bring them (entry points of the group "
        "synclint.plugins), and each is named by its entry point or its module. None is used that is part of what is "
        "checked.",
        '["acme"]',
    )
    moves_to_device: tuple[str, ...] = key(
        functions,
        "Full names of functions that return their first argument with its tensors on the GPU.",
        '["mylib.to_gpu"]',
    )
    waits: tuple[str, ...] = key(
        functions,
        "Full names of functions that make the host wait for the device, whatever they are given.",
        '["mylib.sync_all", "mylib.Engine.barrier"]',
    )
    reads_arguments: tuple[str, ...] = key(
        functions,
        "Full names of functions that copy the tensors among their arguments to the host.",
        '["mylib.log_metrics"]',
    )
    torch: str = library("torch", "2.6")
    torchmetrics: str = library("TorchMetrics", "1.6")
    lightning: str = library("Lightning", "2.5")
    transformers: str = library("Transformers", "4.50")
    torchvision: str = library("torchvision", "0.20")
    root: Path = field(default_factory=Path)
    project: Path | None = None
    pins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_installable: bool = False
    options_set: OptionsSet = OptionsSet()
    is_closed: bool = False

    @property
    def top(self) -> Path:
        """The directory whose files know of each other: that of the project, if there is one."""
        return self.project or self.root

    @property
    def layer(self) -> Layer:
        """The rules that this configuration selects."""
        reasons = (WITHOUT_REASON,) if self.require_reason else ()
        return Layer(self.select, (*self.extend_select, *reasons), self.ignore)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is declared about functions, by the configuration first."""
        lists = (self.moves_to_device, self.waits, self.reads_arguments)
        own = (fact for names, does in zip(lists, DEEDS) for fact in facts_of(names, does))
        return (*own, *facts(self.plugins))

    @property
    def versions(self) -> Versions:
        """The library versions in use: as configured, otherwise as the project requires, otherwise any."""
        written = {name: text for name in LIBRARIES if (text := getattr(self, name))}
        pinned = {name: demanded(lines) for name, lines in self.pins.items() if name not in written}
        return Versions(pinned | {name: allowed(text) for name, text in written.items()})

    def severity_for(self, rule: Rule) -> Severity | None:
        """Return the severity set for a rule, by the most specific selector that matches it."""
        chosen = [selector for selector in self.severity if selects(selector, rule)]
        precise = max(
            chosen, key=lambda selector: (selector == rule.name, selector != "ALL", len(selector)), default=""
        )
        return self.severity[precise] if precise else None


def evidence_files(given: Sequence[str], settings: Settings) -> tuple[str, ...]:
    """Return the files of evidence that are given or, if none is, those that the configuration names and that exist."""
    named = (os.path.join(settings.root, each) for each in settings.evidence)
    return tuple(given) or tuple(filter(os.path.isfile, named))


KEYS = {item.name.replace("_", "-"): item for item in fields(Settings) if item.metadata}
"""The keys of a configuration file."""
