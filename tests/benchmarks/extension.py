"""Whether waits inside a C++ extension are heard: one bound by pybind11, built and called on the emulated device.

    python tests/benchmarks/extension.py [FOLDER]

The build takes a minute of processor time, too long for a test. It needs a C++ compiler and ninja.
"""

from __future__ import annotations

import sys
import tempfile

from synclint.runtime_checker.emulated.load import load

load()

import synclint  # noqa: E402
import torch  # noqa: E402
from synclint.runtime_checker.device import watch  # noqa: E402
from synclint.runtime_checker.observe import Wait  # noqa: E402
from torch.utils.cpp_extension import load_inline  # noqa: E402

SOURCE = """
double first(const at::Tensor& x) { return x[0].item<double>(); }
at::Tensor more(const at::Tensor& x) { return x + 1; }
"""


def main() -> int:
    """Build, call, and print what was heard; the exit code is 0 if it is one wait in each way."""
    folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="extension-")
    tiny = load_inline("tiny", SOURCE, functions=["first", "more"], build_directory=folder, extra_cflags=["-O0"])
    x = torch.ones(3, device="cuda")
    with synclint.forbid_sync(max_syncs=None) as seen:
        tiny.more(x)
        tiny.first(x)
    with watch("emulated") as watcher:
        tiny.more(x)
        tiny.first(x)
    for name, waits in (("forbid_sync", seen.waits), ("run", watcher.waits)):
        print(f"{name}: {[_told(wait) for wait in waits]}")
    return int([len(seen.waits), len(watcher.waits)] != [1, 1])


def _told(wait: Wait) -> str:
    return f"line {wait.row}: {wait.operator} ({wait.kind})"


if __name__ == "__main__":
    sys.exit(main())
