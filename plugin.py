"""What a plugin is written with: a decorator for rules, operations and values, facts; all of it typed and versioned.

    from synclint.plugin import Call, Plugin, Report, rule

`API_VERSION` is raised when something here goes away or changes its meaning; what is only added does not raise it.
Nothing else in the package is meant for plugins. `docs/plugins.md` has an example.
"""

from .lint import operations
from .lint.declared import Fact
from .lint.finding import Confidence, Frequency, Kind, Level, Reason, Severity, Span
from .lint.operations import *  # noqa: F403 - its `__all__` is what rules may use
from .lint.plugins.api import API_VERSION, Plugin
from .lint.rule import Report, Rule, rule

__all__ = [
    "API_VERSION",
    "Confidence",
    "Fact",
    "Frequency",
    "Kind",
    "Level",
    "Plugin",
    "Reason",
    "Report",
    "Rule",
    "Severity",
    "Span",
    "rule",
]
__all__ += operations.__all__
