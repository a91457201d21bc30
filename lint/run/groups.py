"""Groups the files of a run by their settings and rules, by the configuration that is nearest to each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..plugins.known import known_rules
from ..rule import Rule
from ..settings.config import Settings
from ..settings.configurations import Configurations
from ..settings.selection import Layer, chosen_rules
from .file import File


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The settings and the rules that hold for some files."""

    settings: Settings
    rules: Sequence[Rule] = ()


@dataclass(frozen=True, slots=True)
class Groups:
    """The `own` group of a run, and for files that have a configuration of their own, those by their names."""

    own: Group
    apart: Mapping[str, Group] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Group]:
        yield from {id(each): each for each in (self.own, *self.apart.values())}.values()

    def of(self, filename: str) -> Group:
        """Return what applies to a file."""
        return self.apart.get(filename, self.own)

    def parts(self, files: Iterable[File]) -> list[tuple[Group, list[File]]]:
        """Return the groups of a run with their files."""
        files_of: dict[int, list[File]] = {id(each): [] for each in self}
        for file in files:
            files_of[id(self.of(file.name))].append(file)
        return [(each, files_of[id(each)]) for each in self]


def grouped(
    own: Group,
    files: Iterable[File],
    configurations: Configurations,
    layers: Sequence[Layer] = (),
    rules: Sequence[Rule] | None = None,
) -> Groups:
    """Return the groups of a run over the files, by default with the configuration's rules, then the `layers`.

    Raises ConfigError and UnknownRuleError.
    """
    made: dict[int, Group] = {}
    apart = {}
    for name, settings in configurations.apart(file.name for file in files).items():
        if id(settings) not in made:
            chosen = _chosen(settings, layers, own.settings.plugins) if rules is None else rules
            made[id(settings)] = Group(settings, chosen)
        apart[name] = made[id(settings)]
    return Groups(own, apart)


def _chosen(settings: Settings, layers: Sequence[Layer], plugins: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules of a configuration; the `layers` may name rules of `plugins` that it does not use."""
    if settings.plugins != plugins:
        layers = [each.among(known_rules(settings.plugins)) for each in layers]
    return chosen_rules([settings.layer, *layers], settings.plugins)
