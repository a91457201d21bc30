"""Trains a ResNet-18 and collects metrics of every step without a single wait.

The weight is made on the device, and the mean of the loss does not look for NaN.
"""

import argparse
import time

import torch
from resnet import ResNet18
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torchmetrics import Accuracy, F1Score, MeanMetric, MetricCollection, Precision, Recall


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

    data = SyntheticImages(args.steps * args.batch_size, args.classes, args.image_size)
    batches = DataLoader(data, batch_size=args.batch_size, num_workers=args.workers, pin_memory=True)
    model = ResNet18(args.classes).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)

    mean_loss = UncheckedMean().to(device)
    # Averaged "micro", as these wrappers do, the four only compare predictions with labels and wait for nothing.
    quality = MetricCollection(
        {
            "accuracy": Accuracy(task="multiclass", num_classes=args.classes),
            "precision": Precision(task="multiclass", num_classes=args.classes),
            "recall": Recall(task="multiclass", num_classes=args.classes),
            "f1": F1Score(task="multiclass", num_classes=args.classes),
        }
    ).to(device)

    model.train()
    started = time.perf_counter()
    for step, (images, labels) in enumerate(batches, start=1):
        images = images.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        outputs = model(images)
        loss = criterion(outputs, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        mean_loss.update(loss, torch.ones_like(loss))
        quality.update(outputs, labels)
        if step % args.report_every == 0:
            values = {name: value.item() for name, value in quality.compute().items()}
            print(f"step {step}: loss {mean_loss.compute().item():.4f}, {values}")
            mean_loss.reset()
            quality.reset()

    print(f"last loss {loss.item():.4f}, {(time.perf_counter() - started) / args.steps * 1000:.1f} ms per step")


if __name__ == "__main__":
    main()
