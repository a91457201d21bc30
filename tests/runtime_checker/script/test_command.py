"""The command `run`: programs run as under Python, and what they did is told however they end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("torch")

if TYPE_CHECKING:
    from .conftest import Run

TRAIN = """
import sys, torch
model = torch.nn.Linear(4, 2).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(8, 4).to("cuda")
for step in range(6):
    loss = model(x).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
    END
"""
LOSS = 11


def script(directory: Path, source: str, name: str = "train.py") -> str:
    (directory / name).write_text(source, encoding="utf-8")
    return name


def train(directory: Path, end: str = "pass") -> str:
    return script(directory, TRAIN.replace("END", end))


def test_a_program_to_its_end(start: Run, tmp_path: Path) -> None:
    done = start(train(tmp_path))
    assert done.code == 0, done.err
    assert len(done.out.splitlines()) == 6
    assert done.record["steps"] == 3
    assert done.record["summary"]["waits_per_step"] == 1
    assert done.verdicts() == [(LOSS, "confirmed")]
    assert f"train.py:{LOSS}" in done.err
    assert "1 confirmed, 0 missed, 0 refuted, 0 not reached." in done.err


def test_what_stops_a_program_may_be_lost(run: Run, tmp_path: Path) -> None:
    """As torch's trace of a GPU loses an exception in flight."""
    lost = "try:\n        optimizer.step()\n    except SystemExit:\n        raise SystemError('an exception is lost')"
    source = TRAIN.replace("optimizer.step()", lost).replace("END", "")
    done = run("--steps", "4", "--warmup", "1", script(tmp_path, source))
    assert done.code == 0, done.err
    assert "stopped after 4 steps, as requested." in done.err
    assert "SystemError" not in done.err


def test_it_stops_after_so_many_steps(run: Run, tmp_path: Path) -> None:
    done = run("--steps", "4", "--warmup", "1", train(tmp_path))
    assert done.code == 0
    assert len(done.out.splitlines()) == 3
    assert done.record["steps"] == 3
    assert "stopped after 4 steps, as requested." in done.err


def test_a_line_that_failed_before_it_would_have_waited_is_not_refuted(start: Run, tmp_path: Path) -> None:
    done = start(train(tmp_path, "print({}[step], x.tolist())"))
    assert done.code == 1
    assert (LOSS + 1, "not reached") in done.verdicts()


def test_a_lambda_is_only_judged_if_it_is_called(start: Run, tmp_path: Path) -> None:
    for given, verdict in (("[]", "not reached"), ("[1]", "confirmed")):
        done = start(train(tmp_path, f"sorted({given}, key=lambda each: loss.item())"))
        assert (LOSS + 1, verdict) in done.verdicts()


@pytest.mark.parametrize(
    "end",
    [
        "if step < 0: print(x.item())",
        "value = x.item() if step < 0 else 0.0",
        "step < 0 and print(x.item())",
        "[x.item() for _ in ()]",
        "while step < 0: print(x.item())",
        "print(0 if step >= 0 else x.item(), [0 for _ in () if x.any()])",
    ],
)
def test_what_a_line_leaves_out_is_not_refuted(start: Run, tmp_path: Path, end: str) -> None:
    assert (LOSS + 1, "not reached") in start(train(tmp_path, end)).verdicts()


@pytest.mark.parametrize(
    "does",
    [
        "sys.stdout.close()",
        "sys.stdout = sys.stderr = None",
        "sys.stdout.close(); sys.stderr.close()",
        "import os; os.close(1); os.close(2)",
        "import os; os.close(2); file = open('elsewhere.txt', 'w')",
        "sys.exit = lambda *_: None",
        "sys.exit = None",
        "import builtins; builtins.print = lambda *_, **__: None",
        "sys.excepthook = None; raise ValueError('no luck')",
        "sys.excepthook = lambda: 0; raise ValueError('no luck')",
        "sys.stderr.close(); sys.exit('bye')",
    ],
)
def test_whatever_a_program_does_to_its_process_its_verdicts_are_told(run: Run, tmp_path: Path, does: str) -> None:
    done = run(script(tmp_path, TRAIN.replace("    END", does)))
    assert f"{LOSS}  SYNC101" in done.err.replace("train.py:", "")
    assert done.verdicts() == [(LOSS, "confirmed")]
    assert done.code == (1 if "raise" in does or "bye" in does else 0)
    assert "internal error" not in done.err
    assert ("ValueError: no luck" in done.err) == ("raise" in does)


THREAD = "import threading; threading.Thread(target=threading.Event().wait, name='logger').start()"


def test_a_thread_does_not_keep_a_stopped_program_alive(run: Run, tmp_path: Path) -> None:
    source = TRAIN.replace("for step", f"{THREAD}\nfor step").replace("END", "pass")
    done = run("--steps", "4", script(tmp_path, source + "import atexit\n"))
    assert done.code == 0, done.err
    assert "threads of the program still ran, and ended with it: logger." in done.err
    assert done.verdicts() == [(LOSS + 1, "confirmed")]


def test_a_pool_that_was_left_open_ends_with_its_program(run: Run, tmp_path: Path) -> None:
    pool = "from concurrent.futures import ThreadPoolExecutor; pool = ThreadPoolExecutor(1); pool.submit(print, 'done')"
    done = run(script(tmp_path, TRAIN.replace("    END", pool)))
    assert done.code == 0, done.err
    assert "done" in done.out
    assert done.verdicts() == [(LOSS, "confirmed")]


METRICS = """
import torch, torchmetrics
total = torchmetrics.MeanMetric().cuda()
class State:
    other = torchmetrics.SumMetric().cuda()
state = State()
unused, used = torchmetrics.MaxMetric().cuda(), torchmetrics.MinMetric().cuda()
model = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
one = torch.ones((), device="cuda")
for step in range(6):
    loss = model(torch.ones(2, 4, device="cuda")).sum()
    loss.backward()
    optimizer.step()
    print("total unused", torch.distributions.Normal(loss, one).mean.dtype)  # total of state
    each = state.other; each.update(loss.detach())
    if not step: total.update(loss.detach(), one)
    used.update(loss.detach())
"""


def test_set_up_is_confirmed_by_its_object_not_by_a_word(start: Run, tmp_path: Path) -> None:
    pytest.importorskip("torchmetrics")
    done = start(script(tmp_path, METRICS))
    found = {(each["line"], each["verdict"]): each for each in done.record["lines"] if "SYNC402" in each["codes"]}
    assert set(found) == {(16, "confirmed"), (17, "only before"), (18, "confirmed")}
    assert found[16, "confirmed"]["count_per_step"] == 2
    assert found[17, "only before"]["count_per_step"] == 0
    assert "1 finding that no wait in this run can confirm or refute" in done.err


def test_it_runs_out_of_steps(run: Run, tmp_path: Path) -> None:
    done = run("--steps", "100", train(tmp_path))
    assert done.code == 0
    assert "the program ended after 6 of 100 steps." in done.err


def test_a_program_without_steps(run: Run, tmp_path: Path) -> None:
    done = run(script(tmp_path, "import torch\nx = torch.ones(3, device='cuda')\nx.sum().item()\n"))
    assert done.code == 0
    assert done.record["steps"] is None
    assert done.record["lines"][0]["count"] == 1
    assert done.record["lines"][0]["count_per_step"] is None
    assert "no optimizer stepped; 1 wait in total." in done.err


@pytest.mark.parametrize(
    ("end", "code", "message"),
    [
        ("raise ValueError('no luck')", 1, "the program stopped with ValueError: no luck"),
        ("sys.exit(7)", 7, "the program exited with 7."),
        ("sys.exit()", 0, "the program exited on its own."),
        ("sys.exit('bye')", 1, "bye"),
        ("import missing_package", 1, "ModuleNotFoundError: No module named 'missing_package'"),
        ("raise KeyboardInterrupt", 130, "the program was interrupted"),
    ],
)
def test_the_partial_record_is_told(run: Run, tmp_path: Path, end: str, code: int, message: str) -> None:
    done = run(train(tmp_path, end))
    assert done.code == code
    assert message in done.err
    assert {line["line"]: line["count"] for line in done.record["lines"]}[LOSS] == 1
    assert "runtime_checker" not in done.err


def test_the_traceback_is_the_programs_own(run: Run, tmp_path: Path) -> None:
    done = run(train(tmp_path, "1 / 0"))
    trace = done.err[done.err.index("Traceback") :].splitlines()
    assert trace[1].strip() == f'File "{tmp_path}/train.py", line {LOSS + 1}, in <module>'
    assert "ZeroDivisionError" in done.err


def test_ctrl_c(tmp_path: Path) -> None:
    name = train(tmp_path, "import time; print('ready', flush=True); time.sleep(60)")
    command = [sys.executable, "-m", "synclint", "run", "--device", "simulated", name]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    listen = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # shells let what runs in the background ignore it
    process: subprocess.Popen[str] = subprocess.Popen(command, cwd=tmp_path, preexec_fn=listen, **pipes)
    assert process.stdout is not None
    assert any("ready" in line for line in process.stdout)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "KeyboardInterrupt" in err
    assert f"train.py:{LOSS}" in err


def test_arguments_paths_and_main_are_pythons(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    source = """
import json, os, sys, helper
print(json.dumps([sys.argv, sys.path[0], __name__, __file__, __spec__ is None, sys.modules["__main__"].__file__]))
os.chdir("/")
"""
    script(tmp_path / "sub", source, "prog.py")
    script(tmp_path / "sub", "", "helper.py")
    here = str(tmp_path / "sub")
    done = run("sub/prog.py", "--steps", "x", "-m", "--help")
    assert done.code == 0, done.err
    path = f"{here}/prog.py"
    assert json.loads(done.out) == [[path, "--steps", "x", "-m", "--help"], here, "__main__", path, True, path]


def test_the_lines_of_tests_are_theirs_under_pytest(run: Run, tmp_path: Path) -> None:
    test = "import torch\n\ndef test_step():\n    assert torch.ones(3, device='cuda').sum().item() == 3\n"
    done = run("-m", "pytest", "-p", "no:cacheprovider", script(tmp_path, test, "test_it.py"))
    assert done.code == 0, done.err
    assert [(line["filename"], line["line"]) for line in done.record["lines"]] == [("test_it.py", 4)]
    assert done.record["lines"][0]["stack"][0]["filename"] == "test_it.py"


def test_processes_that_nobody_watches_are_told(start: Run, tmp_path: Path) -> None:
    source = """
import torch
from torch.utils.data import DataLoader

def main(rank):
    pass

if __name__ == "__main__":
    list(DataLoader(range(4), num_workers=1))
    torch.multiprocessing.spawn(main, nprocs=2)
"""
    done = start(script(tmp_path, source))
    assert done.code == 0, done.err
    (line,) = (line for line in done.err.splitlines() if "were not watched" in line)
    assert line.count("Process-") == 2


def test_each_rank_writes_its_own_report(start: Run, tmp_path: Path) -> None:
    done = start("--trace=waits.json", train(tmp_path), RANK="1", WORLD_SIZE="2", LOCAL_RANK="1", LOCAL_WORLD_SIZE="2")
    assert done.code == 0, done.err
    assert {path.name for path in tmp_path.glob("*.json")} == {"out.rank1.json", "waits.rank1.json"}


def test_modules(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    script(tmp_path / "pack", "", "__init__.py")
    script(tmp_path / "pack", "import sys\nfrom . import other\nprint(__spec__.name, sys.argv[1:])\n", "__main__.py")
    script(tmp_path / "pack", TRAIN.replace("END", "pass"), "other.py")
    done = run("-m", "pack", "--flag", "1")
    assert done.code == 0, done.err
    assert done.out.splitlines()[-1] == "pack.__main__ ['--flag', '1']"
    assert (done.record["lines"][0]["filename"], done.record["lines"][0]["line"]) == ("pack/other.py", LOSS)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing.py"], "missing.py does not exist"),
        (["text.py"], "is not valid Python"),
        (["bytes.py"], "is not valid Python"),
        (["-m", "no_such_module"], "no module named no_such_module"),
        (["-m"], "-m requires the name of a module"),
        ([], "expected a script"),
        (["--step", "3", "train.py"], "no such option: --step"),
        (["--output", "xml=-", "train.py"], "expected FORMAT=FILE"),
        (["--output", "json=no/such/folder", "train.py"], "cannot write to"),
    ],
)
def test_wrong_use_is_one_line(start: Run, tmp_path: Path, words: list[str], message: str) -> None:
    script(tmp_path, "this is no program", "text.py")
    (tmp_path / "bytes.py").write_bytes(b"\x00\xff\xfe")
    done = start(*words)
    assert done.code == 2
    assert message in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_without_torch(start: Run, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')\n")
    done = start(script(tmp_path, "print(1)"), PYTHONPATH=_path(tmp_path))
    assert done.code == 2
    assert done.err.strip() == "synclint: PyTorch is not installed: pip install torch"


def _path(first: Path) -> str:
    return os.pathsep.join(filter(None, [str(first), os.environ.get("PYTHONPATH", "")]))


def test_workers_threads_forks_and_much_output(start: Run, tmp_path: Path) -> None:
    source = """
import os, sys, threading, torch
from torch.utils.data import DataLoader, TensorDataset

class Twice(torch.utils.data.Dataset):
    def __len__(self): return 8
    def __getitem__(self, index): return torch.ones(4) * index

def main():
    model = torch.nn.Linear(4, 2).to("cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for context, workers in (("fork", 2), ("spawn", 1)):
        for x in DataLoader(Twice(), batch_size=2, num_workers=workers, multiprocessing_context=context):
            loss = model(x.to("cuda")).sum()
            loss.backward()
            optimizer.step()
    child = os.fork()
    if not child:
        sys.exit(3)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    thread = threading.Thread(target=lambda: loss.item())
    thread.start()
    print("x" * 3_000_000)

if __name__ == "__main__":
    main()
"""
    done = start("--warmup", "1", script(tmp_path, source))
    assert done.code == 0, done.err[-2000:]
    assert done.out.startswith("3\n")
    assert len(done.out) > 3_000_000
    assert done.record["steps"] == 7
    assert done.err.count("synclint: simulated") == 1
    assert {line["line"]: line["count"] for line in done.record["lines"]}[14] == 8


def test_verdicts_of_a_program_with_all_four(run: Run, tmp_path: Path) -> None:
    source = """
import torch

def read(x):
    return x.item()

def never(x):
    return x.item()

model = torch.nn.Linear(4, 2).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
host = torch.ones(3)
where = "cuda" if len(model.weight) > 100 else "cpu"
for step in range(5):
    x = torch.randn(8, 4, device="cuda")
    loss = model(x).sum()
    loss.backward()
    optimizer.step()
    read(loss)
    setattr(loss, "kept", 1) if getattr(loss, "is" + "nan")().any() else None
"""
    done = run("--output=github=-", "--output=concise=found.txt", script(tmp_path, source))
    assert done.code == 0, done.err
    assert (5, "confirmed") in done.verdicts()
    assert (8, "not reached") in done.verdicts()
    assert "::error title=SYNC101" in done.out or "::warning title=SYNC101" in done.out
    assert "train.py:5:" in (tmp_path / "found.txt").read_text()


ARTICLE = Path(__file__).parents[3] / "examples" / "articles" / "metric_placement_{version}.py"
SMALL = ["--steps=6", "--batch-size=2", "--classes=5", "--image-size=32", "--workers=0", "--report-every=4"]


def test_nccl_on_a_machine_that_has_none(run: Run) -> None:
    pytest.importorskip("torchmetrics")
    done = run("--steps=6", str(ARTICLE).format(version="before"), *SMALL)
    assert done.code == 1
    assert "the program stopped with RuntimeError: No backend type associated with device type cpu" in done.err
    done = run("--steps=6", str(ARTICLE).format(version="after"), *SMALL)
    assert done.code == 0, done.err
    assert "stopped after 6 steps, as requested." in done.err


def test_a_linter_that_fails_does_not_lose_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from synclint.runtime_checker.script import command

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(command, "check_files", fail)
    output = tmp_path / "out.json"
    name = str(tmp_path / train(tmp_path))
    assert command.main([name], "simulated", None, 3, [f"json={output}"]) == 0
    assert "internal error in the comparison with the linter: RuntimeError: broken" in capfd.readouterr().err
    assert [line["verdict"] for line in json.loads(output.read_text())["lines"]] == ["missed"]


def test_a_configuration_that_is_wrong(start: Run, tmp_path: Path) -> None:
    (tmp_path / "synclint.toml").write_text("selekt = []\n")
    done = start(train(tmp_path))
    assert done.code == 2
    assert "selekt" in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    "deed",
    [
        "sys.stdout.close()",
        "sys.stderr.close()",
        "sys.stdout = sys.stderr = None",
        "sys.exit = print",
        "sys.excepthook = None",
        "sys.excepthook = lambda *_: 1 / 0",
    ],
)
def test_what_a_program_does_to_python_does_not_reach_the_report(tmp_path: Path, deed: str) -> None:
    fails = "excepthook" in deed
    source = TRAIN.replace("    print(loss.item())\n    END", "    loss.item()") + deed + "\n" + "1 / 0\n" * fails
    script(tmp_path, source)
    words = [sys.executable, "-m", "synclint", "run", "--device", "simulated", "--output", "json=x.json", "train.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == fails, done.stderr
    assert "1 confirmed, 0 missed" in done.stderr
    assert "internal error" not in done.stderr
    assert ("ZeroDivisionError" in done.stderr) is fails
    assert json.loads((tmp_path / "x.json").read_text())["summary"]["waits_per_step"] == 1
