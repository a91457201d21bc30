"""Measures the step time with a metric of this process's own on the host, and with a shared one on the GPU.

The shared one is updated with zero-dimensional tensors of the host, which kernels take as plain arguments.
"""

import argparse
import time

import torch
import torch.distributed as dist
from resnet import ResNet18
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torchmetrics import MeanMetric


class SyntheticImages(Dataset):
    """Random images with random labels; every index always gives the same pair."""

    def __init__(self, count: int, classes: int, size: int) -> None:
        self.count, self.classes, self.size = count, classes, size

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        generator = torch.Generator().manual_seed(index)
        image = torch.randn(3, self.size, self.size, generator=generator)
        label = torch.randint(self.classes, (), generator=generator)
        return image, label


class UncheckedMean(MeanMetric):
    """A weighted mean that trusts its input: it does not look for NaN.

    `MeanMetric(nan_strategy="disable")` does the same since TorchMetrics 1.6.2 where no weight is passed.
    """

    def _cast_and_nan_check_input(
        self, x: torch.Tensor, weight: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        return x, torch.ones_like(x) if weight is None else weight


def parse_args() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--classes", type=int, default=1000)
    parser.add_argument("--image-size", type=int, default=224)
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--report-every", type=int, default=100)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


def main() -> None:
    args = parse_args()
    torch.manual_seed(0)
    device = torch.device(args.device)
    # One process that stands for many; `torchrun` would give the rank and the size.
    backend = "nccl" if device.type == "cuda" else "gloo"
    dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)

    data = SyntheticImages(args.steps * args.batch_size, args.classes, args.image_size)
    batches = DataLoader(data, batch_size=args.batch_size, num_workers=args.workers, pin_memory=True)
    model = DistributedDataParallel(ResNet18(args.classes).to(device))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)

    own_time = MeanMetric(sync_on_compute=False)
    mean_time = UncheckedMean().to(device)

    model.train()
    started = time.perf_counter()
    for step, (images, labels) in enumerate(batches, start=1):
        images = images.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        seconds, started = time.perf_counter() - started, time.perf_counter()
        own_time.update(seconds)
        shared = torch.as_tensor(seconds)
        mean_time.update(shared, torch.ones_like(shared))
        if step % args.report_every == 0:
            print(f"step {step}: {own_time.compute():.4f} s here, {mean_time.compute():.4f} s on average")
            own_time.reset()
            mean_time.reset()

    print(f"last loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
