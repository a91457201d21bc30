"""Lists and other containers next to tensors: Python compares and adds them by itself."""

from collections import OrderedDict

import torch
from munch import Munch
from torch.utils.data import DataLoader


def compared(x: torch.Tensor, names: list, given):
    a = x == []  # reveal: bool
    b = () != x  # reveal: bool
    c = x == "text"  # reveal: bool
    d = x == {}  # reveal: bool
    e = x != None  # noqa: E711  # reveal: bool
    if x == []:  # operation: none
        return a, b, c, d, e
    if given == []:  # operation: none
        return given
    return x == 0  # reveal: Tensor[any device, bool]


def batches(dataset):
    for batch in DataLoader(dataset):
        images, counts = batch["images"], batch["counts"]
        if all(image == [] for image in images):  # operation: none
            continue
        starts = [0] + counts  # reveal: list[int 0 | Unknown, …]
        more = counts + [0]  # reveal: list[int 0 | Unknown, …]
        ends = torch.tensor(starts).cumsum(0)  # reveal: Tensor[cpu, int|float|complex, rank≥1]
        many = [0] * x_of(batch)  # reveal: list[int 0, …]
        yield images[ends[0] : ends[1]], more, many  # operation: none


def x_of(batch):
    return batch.sum()


def bounds(x: torch.Tensor, counts=None, n=None):
    ends = torch.tensor([0] + counts).cumsum(0)  # reveal: Tensor[cpu, int|float|complex, rank≥1]
    zeros = torch.tensor([0.0] * n)  # reveal: Tensor[cpu, float, rank 1]
    shape = (1,) + x.shape[1:]
    return x[ends[0] : ends[1]], zeros.view(shape)  # operation: none


def train_by_name(model, loader, device):
    for images, labels in loader:
        images = images.to(device)
        out = model(images)  # reveal: Batch[any device]
        print(out.loss.item())  # operation: Call
        print(out.logits.tolist())  # operation: Call
        counted = labels.sum()  # reveal: Tensor[cpu, int|float|complex, rank 0]
        handed = build(images)  # reveal: Unknown
        return out, counted, handed


def train_in_parts(model, loader):
    for batch in loader:
        inputs = {key: value.to("cuda") for key, value in batch.items()}
        names = batch["words"]  # reveal: Batch[cpu]
        return model(inputs), names


def train_with_helper(model, loader, device):
    for batch in loader:
        moved = move_to_device(batch, device)
        length = batch["length"]  # reveal: Batch[cpu]
        return model(moved), length


def train_prepared(model, loader):
    for batch in loader:
        out = model(batch["x"])  # reveal: Batch[any device]
        length = batch["length"].half().to(torch.float32)  # reveal: Tensor[any device, float]
        return out, length


def train_counted(model, loader, other):
    for step, batch in enumerate(loader):
        x = batch  # reveal: Batch[cpu]
        x = x.cuda()
        return model(x)
    for (first, _), second in zip(loader, other):
        y = first  # reveal: Batch[cpu]
        z = second  # reveal: Unknown
        return model(y.cuda()), z


def filled(x: torch.Tensor, n: int):
    found = [None] * n
    for i in range(n):
        found[i] = x[i] > 0
    return found  # reveal: list[None | Tensor[any device, bool], …]


def halves(x: torch.Tensor):
    parts = [0.0, 0.0, 0.0]
    parts[1:] = [x.mean(), x.sum()]
    return parts  # reveal: list[float 0.0 | Tensor[any device, rank 0], …]


def named(x: torch.Tensor, key: str):
    numbers = {}
    numbers["loss"] = x.mean()
    numbers["count"] = 3
    for value in numbers.values():
        value  # reveal: Tensor[any device, rank 0] | int 3
    return numbers["count"]  # reveal: int 3


def mapped(x: torch.Tensor, keys: list[str]):
    means = {}
    for key in keys:
        means[key] = x.mean()
    return means[keys[0]]  # reveal: Tensor[any device, rank 0]


def options(flag: bool, x: torch.Tensor):
    given = {"x": x, "use": True, "size": 3}
    if flag:
        given["text"] = "a"
        given["none"] = None
    return given["use"]  # reveal: bool True


def passed_on(x: torch.Tensor, key: str, **given):
    given["x"] = x
    given[key] = x
    if given["use_cache"]:  # operation: none
        return given


class Kept:
    def __init__(self, n):
        self.parts = [None] * n
        self.means = {}

    def add(self, at: int, x: torch.Tensor):
        self.parts[at] = x
        self.means["loss"] = x.mean()

    def read(self):
        part = self.parts[0]  # reveal: None | Tensor[any device]
        loss = self.means["loss"]  # reveal: Tensor[any device, rank 0]
        return part, loss


def no_tensor(x: torch.Tensor, flag: bool):
    each = x if flag else [x, x]
    return each.device  # reveal: device any device | Unknown


def items_that_are_set(x: torch.Tensor, names: list[str], options: dict, flag: bool):
    losses = {}
    losses["a"] = x.sum()
    losses["b"] = 3
    losses.values()  # reveal: iter[Tensor[any device, int|float|complex, rank 0] | int 3, …]
    losses["c"]  # reveal: Unknown
    if flag:
        losses["d"] = x
    losses.get("d")  # reveal: Tensor[any device]
    by_name = {}
    for name in names:
        by_name[name] = x.sum()
    sum(by_name.values()).item()  # operation: Call
    options["mask"] = x
    options["use_cache"]  # reveal: Unknown
    numbers = [1, 2]
    numbers[0] = x
    numbers  # reveal: list[Tensor[any device], int 2]


def sums(tensors: list[torch.Tensor], n: int):
    total = 0
    for each in tensors:
        total += each.sum()
    if total > 3:  # operation: Truth
        total  # reveal: Tensor[any device, int|float|complex, rank 0]
    best = 0
    for each in tensors:
        if n > 3:
            best = each
    best  # reveal: int 0 | Tensor[any device]
    count = 0
    for each in tensors:
        count += 1
    count  # reveal: int
    kept: list[torch.Tensor] = []
    kept.append(torch.zeros(3))
    kept[0]  # reveal: Tensor[cpu, float, rank 1]
    numbers: list[int] = []
    numbers[0]  # reveal: int
    meter = {"loss": 0}
    meter["loss"] += tensors[0]
    meter["loss"]  # reveal: Tensor[any device, int|uint8|float|complex]


class Keeper:
    def __init__(self):
        self.kept: list[torch.Tensor] = []

    def read(self):
        self.kept[0].item()  # operation: Call


def by_number(shares: torch.Tensor):
    table = {0: shares.sum(), 1: shares.mean()}
    for number in table:
        a = number  # reveal: int
    for number, _ in table.items():
        b = shares[number]  # reveal: Tensor[any device]
    for name in {"a": 1}.keys():
        c = name  # reveal: str
    return a, b, c


class Fetched:
    def __init__(self, loader):
        self.loader = loader

    def __next__(self):
        try:
            x, y = next(self.batches)
        except (AttributeError, StopIteration):
            self.batches = iter(self.loader)
            x, y = next(self.batches)
        noise = torch.randn(3)
        kept = OrderedDict(x=x, y=y, noise=noise)
        for value in kept.values():
            item = value  # reveal: Batch[cpu, pageable]
        inputs = Munch(x=x, y=y, noise=noise)
        a = inputs.noise  # reveal: Tensor[cpu, float, rank 1]
        return item, a


Fetched(DataLoader([]))
