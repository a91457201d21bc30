"""Programs on the simulated device: they run as on a GPU, wait where a GPU makes them wait, and leave no trace."""

from __future__ import annotations

import copy
import io
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional

from synclint.runtime_checker.simulated.watcher import SimulatedWatcher, watch_simulated  # noqa: E402


@pytest.fixture(name="watcher")
def _watcher() -> Iterator[SimulatedWatcher]:
    with watch_simulated() as watcher:
        yield watcher


def operators(watcher: SimulatedWatcher) -> list[str]:
    return [wait.operator for wait in watcher.waits]


def train(
    model: Any,
    inputs: Any,
    optimizer: Callable[..., Any] = torch.optim.AdamW,
    autocast: Any = None,
    **options: Any,
) -> list[str]:
    """Two steps of training; returns the operators that waited."""
    model, inputs = model.cuda(), inputs.cuda()
    optimizing = optimizer(model.parameters(), lr=0.01, **options)
    scaler = torch.amp.GradScaler("cuda", enabled=autocast is torch.float16)
    with watch_simulated() as watcher:
        for _ in range(2):
            with torch.autocast("cuda", dtype=autocast, enabled=autocast is not None):
                output = model(inputs)
                loss = (output[0] if isinstance(output, tuple) else output).square().mean()
            optimizing.zero_grad()
            scaler.scale(loss).backward()
            scaler.unscale_(optimizing)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizing)
            scaler.update()
        assert loss.is_cuda
        assert all(parameter.grad.is_cuda for parameter in model.parameters() if parameter.grad is not None)
    return operators(watcher)


def models() -> dict[str, tuple[Any, Any]]:
    sequence, image = torch.randn(2, 5, 16), torch.randn(2, 3, 8, 8)
    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    convolutions = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
    upsampling = nn.Sequential(nn.ConvTranspose2d(3, 8, 3), nn.GroupNorm(2, 8), nn.GELU(), nn.Upsample(scale_factor=2))
    return {
        "mlp": (nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 2)), sequence),
        "convolutions": (convolutions, image),
        "upsampling": (upsampling, image),
        "transformer": (nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), sequence),
        "lstm": (nn.LSTM(16, 8, 2, batch_first=True), sequence),
        "gru": (nn.GRU(16, 8, batch_first=True), sequence),
    }


@pytest.mark.parametrize("name", list(models()))
def test_training_waits_for_nothing(name: str, watcher: SimulatedWatcher) -> None:
    assert train(*models()[name]) == []
    assert train(*models()[name], autocast=torch.bfloat16) == []


@pytest.mark.parametrize("name", list(models()))
def test_a_scaler_reads_once_per_step(name: str, watcher: SimulatedWatcher) -> None:
    assert train(*models()[name], autocast=torch.float16) == ["item", "item"]


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "NAdam", "RAdam", "Rprop"])
def test_optimizers_wait_for_nothing(name: str, watcher: SimulatedWatcher) -> None:
    optimizer = getattr(torch.optim, name)
    assert train(nn.Linear(4, 4), torch.randn(2, 4), optimizer) == []
    assert train(nn.Linear(4, 4), torch.randn(2, 4), optimizer, foreach=False) == []


def test_optimizers_that_wait(watcher: SimulatedWatcher) -> None:
    linear = (nn.Linear(4, 4), torch.randn(2, 4))
    assert "item" in train(*linear, optimizer=torch.optim.Adafactor)
    assert "item" in train(*linear, optimizer=torch.optim.ASGD)
    assert train(*linear, optimizer=torch.optim.AdamW, capturable=True) == []
    assert train(*linear, optimizer=torch.optim.AdamW, fused=True, autocast=torch.float16) == []


def test_values_are_those_of_the_cpu() -> None:
    def losses(device: str) -> list[float]:
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 1)).to(device)
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        inputs, found = torch.randn(16, 8, device=device), []
        for _ in range(4):
            loss = (model(inputs) - 1).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            found.append(loss.item())
        return found

    plain = losses("cpu")
    with watch_simulated():
        assert losses("cuda") == plain


def test_autocast_has_the_types_of_a_gpu(watcher: SimulatedWatcher) -> None:
    x, weight = torch.randn(4, 4, device="cuda"), torch.randn(4, 4, device="cuda")
    with torch.autocast("cuda"):
        product = x @ weight
        assert product.dtype is torch.float16
        assert F.linear(x, weight).dtype is torch.float16
        assert torch.einsum("ij,jk->ik", x, weight).dtype is torch.float16
        assert product.softmax(dim=0).dtype is torch.float32
        assert product.exp().dtype is torch.float32
        assert product.sum().dtype is torch.float32
        assert product.relu().dtype is torch.float16
        assert (product + x).dtype is torch.float32
        assert F.layer_norm(product, (4,)).dtype is torch.float32
        assert F.cross_entropy(product, torch.arange(4, device="cuda")).dtype is torch.float32
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype is torch.float32  # of the host
        with pytest.raises(RuntimeError, match="unsafe to autocast"):
            F.binary_cross_entropy(product.sigmoid(), x.sigmoid())
    with torch.autocast("cuda", dtype=torch.bfloat16):
        assert (x @ weight).dtype is torch.bfloat16
    assert (x @ weight).dtype is torch.float32


def test_waits_of_backward_are_at_the_line_that_calls_it(watcher: SimulatedWatcher) -> None:
    x = torch.rand(4, device="cuda", requires_grad=True)
    loss = x[x > 0.5].sum() + x.prod()
    before = len(watcher.waits)
    loss.backward()
    row = watcher.waits[-1].row
    assert {wait.row for wait in watcher.waits[before:]} == {row}
    assert {wait.operator for wait in watcher.waits[before:]} == {"index_put (backward)", "prod (backward)"}
    assert watcher.waits[-1].filename == __file__
    assert "loss.backward()" in _line(row)


def _line(row: int) -> str:
    with open(__file__, encoding="utf-8") as lines:
        return lines.readlines()[row - 1]


def test_a_gradient_goes_back_to_the_host(watcher: SimulatedWatcher) -> None:
    x = torch.rand(4, requires_grad=True)
    (x.cuda() * 2).sum().backward()
    assert not x.grad.is_cuda
    assert operators(watcher) == ["cuda", "to (backward)"]


def test_where_tensors_are(watcher: SimulatedWatcher) -> None:
    x = torch.zeros(3, device="cuda")
    assert (x.device, x.is_cuda, x.is_cpu, x.get_device()) == (torch.device("cuda:0"), True, False, 0)
    assert x.type() == "torch.cuda.FloatTensor"
    for same in (x + 1, x[1:], x.view(3, 1), x.detach(), torch.zeros_like(x), x.new_zeros(2), torch.stack([x, x])):
        assert same.is_cuda
    for other in (torch.zeros(3), x.cpu(), torch.zeros_like(x, device="cpu"), torch.from_numpy(x.cpu().numpy())):
        assert not other.is_cuda
    assert "device='cuda:0'" in repr(x)
    assert torch.zeros(2, device="meta").is_meta
    module = nn.Linear(2, 2, device="meta").to_empty(device="cuda")
    assert module.weight.is_cuda


def test_default_devices(watcher: SimulatedWatcher) -> None:
    with torch.device("cuda"):
        assert torch.ones(2).is_cuda
        assert torch.tensor([1.0]).is_cuda
    torch.set_default_device("cuda")
    try:
        assert nn.Linear(2, 2).weight.is_cuda
        assert torch.tensor([1.0]).is_cuda
    finally:
        torch.set_default_device(None)
    assert not torch.ones(2).is_cuda


def test_what_a_gpu_refuses(watcher: SimulatedWatcher) -> None:
    numpy = pytest.importorskip("numpy")
    x, host = torch.ones(3, device="cuda"), torch.ones(3)
    with pytest.raises(TypeError, match=r"can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu\(\)"):
        x.numpy()
    with pytest.raises(TypeError, match="can't convert cuda:0"):
        numpy.asarray(x)
    mixed = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
    for mix in (
        lambda: x + host,
        lambda: host.add_(x),
        lambda: torch.cat([x, host]),
        lambda: nn.Linear(3, 2)(x),
        lambda: torch.stack([x[0], torch.tensor(1.0)]),
        lambda: F.mse_loss(x, host),
    ):
        with pytest.raises(RuntimeError, match=mixed):
            mix()
    with pytest.raises(RuntimeError, match="indices should be either on cpu or on the same device"):
        host[x.long()]
    with pytest.raises(RuntimeError, match="cannot pin"):
        x.pin_memory()
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        host.to("cuda:1")
    with pytest.raises(RuntimeError, match="Expected a 'cuda' device type for generator but found 'cpu'"):
        torch.rand(2, device="cuda", generator=torch.Generator())


def test_copies_and_files_keep_the_device(watcher: SimulatedWatcher) -> None:
    model = nn.Linear(2, 2).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 2, device="cuda")).sum().backward()
    optimizer.step()
    before = len(watcher.waits)
    assert copy.deepcopy(model).weight.is_cuda
    assert len(watcher.waits) == before
    file = io.BytesIO()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
    assert {wait.kind for wait in watcher.waits[before:]} == {"copy to host"}
    file.seek(0)
    assert torch.load(file)["model"]["weight"].is_cuda
    file.seek(0)
    state = torch.load(file, map_location="cpu")
    assert not state["model"]["weight"].is_cuda
    optimizer.load_state_dict(state["optimizer"])
    assert optimizer.state[model.weight]["exp_avg"].is_cuda


@pytest.mark.parametrize("workers", [0, 1])
def test_a_loader_pins(workers: int, watcher: SimulatedWatcher) -> None:
    data = torch.utils.data.TensorDataset(torch.arange(8.0))
    for (batch,) in torch.utils.data.DataLoader(data, batch_size=4, num_workers=workers, pin_memory=True):
        assert batch.is_pinned()
        assert batch.to("cuda", non_blocking=True).is_cuda
    assert watcher.waits == []


def test_other_threads_are_watched(watcher: SimulatedWatcher) -> None:
    found: list[Any] = []

    def work() -> None:
        x = torch.ones(2, device="cuda")
        found.append(x.device)
        x.sum().item()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [torch.device("cuda:0")]
    assert [(wait.operator, "x.sum().item()" in _line(wait.row)) for wait in watcher.waits] == [("item", True)]


def test_types_that_only_gpus_have(watcher: SimulatedWatcher) -> None:
    x = torch.arange(4, dtype=torch.int32, device="cuda")
    counts = torch.histc(x, bins=4, min=0, max=3)
    assert (counts.dtype, counts.is_cuda) == (torch.int32, True)
    with pytest.raises(NotImplementedError):
        torch.histc(x.cpu(), bins=4, min=0, max=3)


def test_functions_of_python_are_seen_through(watcher: SimulatedWatcher) -> None:
    x = torch.rand(4, device="cuda")
    F.gaussian_nll_loss(x, x, x)
    (wait,) = watcher.waits
    assert wait.filename == __file__
    assert wait.library is not None
    assert wait.library[0].endswith("functional.py")


def test_inference_mode(watcher: SimulatedWatcher) -> None:
    with torch.inference_mode():
        x = nn.Linear(4, 4).cuda()(torch.ones(2, 4, device="cuda"))
        before = len(watcher.waits)
        assert x[x > 0].is_cuda
        assert F.one_hot(torch.zeros(2, dtype=torch.int64, device="cuda"), 3).is_cuda
        x.sum().item()
        assert operators(watcher)[before:] == ["getitem", "item"]


def test_other_parts_of_torch(watcher: SimulatedWatcher) -> None:
    x = torch.rand(3, 4, device="cuda", requires_grad=True)
    linear = nn.Linear(4, 4).cuda()
    torch.utils.checkpoint.checkpoint(linear, x, use_reentrant=False).sum().backward()
    assert x.grad.is_cuda
    assert torch.func.grad(lambda value: value.square().sum())(x.detach()).is_cuda
    assert torch.func.vmap(lambda row: row * 2)(x.detach()).is_cuda
    assert torch.jit.script(linear)(x).is_cuda
    assert torch.compile(linear)(x).is_cuda
    packed = nn.utils.rnn.pack_padded_sequence(torch.rand(2, 3, 4, device="cuda"), [3, 2], batch_first=True)
    output, _ = nn.LSTM(4, 4, batch_first=True).cuda()(packed)
    assert nn.utils.rnn.pad_packed_sequence(output)[0].is_cuda


@pytest.mark.skipif(not torch.distributed.is_available(), reason="this torch has no distributed package")
def test_collectives_know_tensors_of_the_device_only(watcher: SimulatedWatcher) -> None:
    dist = torch.distributed
    dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
    try:
        model = nn.parallel.DistributedDataParallel(nn.Linear(4, 4).cuda(), device_ids=[0])
        inputs = torch.rand(2, 4, device="cuda")
        before = len(watcher.waits)
        for _ in range(12):
            model(inputs).sum().backward()
        # DistributedDataParallel reads the timers of its first ten steps, each before the step that follows.
        assert operators(watcher)[before:] == ["set_runtime_stats_and_log"] * 8 * 10
        before = len(watcher.waits)
        dist.all_reduce(inputs)
        assert len(watcher.waits) == before
        assert model.module.weight.grad.is_cuda
        with pytest.raises(RuntimeError, match="No backend type associated with device type cpu"):
            dist.all_reduce(torch.ones(1))
        assert dist.get_backend() == dist.get_backend(dist.new_group([0])) == "nccl"
        hosts = dist.new_group([0], backend="gloo")
        dist.all_reduce(torch.ones(1), group=hosts)
        assert dist.get_backend(hosts) == "gloo"
        dist.all_gather_into_tensor(inputs, inputs + 1, group=dist.new_group([0], backend="nccl"))
        assert len(watcher.waits) == before
        dist.barrier()
        assert operators(watcher)[before:] == ["barrier"]
        found: list[Any] = [None]
        dist.all_gather_object(found, "word")
        assert found == ["word"]
        assert "item" in operators(watcher)[before:]
    finally:
        dist.destroy_process_group()


def test_a_gpu_seems_to_be_there(watcher: SimulatedWatcher) -> None:
    assert torch.cuda.is_available()
    assert torch.cuda.device_count() == 1
    assert torch.cuda.get_device_name() == watcher.device == "simulated CUDA device"
    assert torch.cuda.get_device_capability() == (9, 0)
    assert torch.cuda.current_stream() == torch.cuda.default_stream()
    with torch.cuda.stream(torch.cuda.Stream()), torch.cuda.device(0):
        torch.cuda.nvtx.range_push("region")
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    with pytest.raises(ValueError, match="recorded"):
        start.elapsed_time(end)
    start.record()
    end.record()
    assert start.elapsed_time(end) >= 0
    for module in (torch.cuda, torch.cuda.random):
        module.manual_seed(0)
        module.set_rng_state(module.get_rng_state())
    generator = torch.Generator(device="cuda").manual_seed(1)
    assert torch.rand(2, device="cuda", generator=generator).is_cuda
    assert isinstance(torch.default_generator, torch.Generator)


def snapshot() -> dict[str, Any]:
    owners: dict[str, Any] = {
        "torch": torch,
        "cuda": torch.cuda,
        "Tensor": torch.Tensor,
        "F": F,
        "overrides": torch.overrides,
        "_tensor": torch._tensor,
        "Thread": threading.Thread,
        "text": torch._tensor_str,
        "nvtx": torch.cuda.nvtx,
        "accelerator": getattr(torch, "accelerator", None),
        "_C": torch._C,
        "distributed": torch.distributed if torch.distributed.is_available() else None,
    }
    found = {f"{name}.{key}": value for name, owner in owners.items() if owner for key, value in vars(owner).items()}
    registry = list(torch.serialization._package_registry)
    return {**found, "registry": registry, "modes": torch._C._len_torch_function_stack()}


@pytest.mark.parametrize("error", [None, ValueError, SystemExit, KeyboardInterrupt])
def test_everything_is_restored(error: type[BaseException] | None) -> None:
    before = snapshot()
    try:
        with watch_simulated():
            x = torch.ones(2, device="cuda")
            if error is not None:
                raise error
    except (ValueError, SystemExit, KeyboardInterrupt):
        pass
    after = snapshot()
    assert {name for name in before.keys() | after.keys() if before.get(name) is not after.get(name)} <= {
        "registry",
        "modes",
    }
    assert before["registry"] == after["registry"]
    assert before["modes"] == after["modes"]
    assert x.device.type == "cpu"
    assert not torch.cuda.is_available()
    assert torch.utils._python_dispatch._get_current_dispatch_mode() is None


def test_a_watcher_inside_another_shares_the_device() -> None:
    with watch_simulated() as outer:
        x = torch.ones(2, device="cuda")
        with watch_simulated() as inner:
            x.sum().item()
        x.tolist()
    assert operators(inner) == ["item"]
    assert operators(outer) == ["item", "tolist"]


def test_a_thread_from_before_may_watch_as_well() -> None:
    ready, done = threading.Event(), threading.Event()
    found: list[Any] = []

    def work() -> None:
        ready.wait(10)
        with watch_simulated() as watcher:
            done.wait(10)
            torch.ones(2, device="cuda").sum().item()
            found.extend(operators(watcher))

    thread = threading.Thread(target=work)
    thread.start()
    with watch_simulated():
        ready.set()
    done.set()
    thread.join()
    assert found == ["item"]
    assert not torch.cuda.is_available()


def test_tensors_remember_the_device_between_two_watchers() -> None:
    with watch_simulated():
        x = torch.ones(2, device="cuda")
    assert x.sum().item() == 2
    with watch_simulated() as watcher:
        assert x.is_cuda
        x.sum().item()
    assert operators(watcher) == ["item"]


def test_storages_are_forgotten_with_their_tensors() -> None:
    from synclint.runtime_checker.simulated.device import Storages

    storages = Storages(fewest=8)
    kept = torch.ones(1)
    storages.add(kept)
    for _ in range(100):
        storages.add(torch.ones(1))
    assert len(storages._references) < 20
    assert kept in storages
