"""Trains a small segmentation net with a masked loss that waits for the device at every one of its three parts.

Each wait is for the size of a result that depends on the data; curing only one moves the waiting to the next.
"""

import argparse
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

BACKGROUND, IGNORED = 0, -1


class SyntheticMasks(Dataset):
    """Random images whose every pixel has a random label; every index always gives the same pair."""

    def __init__(self, count: int, classes: int, size: int) -> None:
        self.count, self.classes, self.size = count, classes, size

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        generator = torch.Generator().manual_seed(index)
        image = torch.randn(3, self.size, self.size, generator=generator)
        return image, torch.randint(self.classes, (self.size, self.size), generator=generator)


class ConvNet(nn.Module):
    """Hidden 3×3 convolutions of ten channels, and one score per class and pixel."""

    def __init__(self, classes: int, hidden: int = 10, channels: int = 10) -> None:
        super().__init__()
        layers: list[nn.Module] = [nn.Conv2d(3, channels, 3, padding=1)]
        for _ in range(hidden):
            layers += [nn.ReLU(), nn.Conv2d(channels, channels, 3, padding=1)]
        self.layers = nn.Sequential(*layers, nn.Conv2d(channels, classes, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)


class MaskedLoss(nn.Module):
    """Cross entropy of the pixels that are not background, or zero where a batch has fewer than two labels."""

    def __init__(self) -> None:
        super().__init__()
        self.loss = nn.CrossEntropyLoss()

    def ignore_background(self, target: torch.Tensor) -> torch.Tensor:
        flat = target.flatten()
        background = torch.nonzero(flat == BACKGROUND).squeeze(1)  # expect: SYNC201
        flat[background] = IGNORED  # expect: SYNC209[torch<2.15]
        return flat

    def drop_ignored(self, scores: torch.Tensor, target: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        mask = target != IGNORED
        scores = scores[mask]  # expect: SYNC203
        target = target[mask]  # expect: SYNC203
        return scores, target

    def forward(self, scores: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        target = self.ignore_background(target)
        labels = torch.unique(target)  # expect: SYNC202
        scores, target = self.drop_ignored(scores.movedim(1, -1).flatten(0, -2), target)
        loss = self.loss(scores, target)
        if labels.numel() < 2:
            loss = 0 * loss
        return loss


def parse_args() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--classes", type=int, default=10)
    parser.add_argument("--image-size", type=int, default=256)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--report-every", type=int, default=100)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


def main() -> None:
    args = parse_args()
    torch.manual_seed(0)
    device = torch.device(args.device)

    data = SyntheticMasks(args.steps * args.batch_size, args.classes, args.image_size)
    batches = DataLoader(data, batch_size=args.batch_size, num_workers=args.workers, pin_memory=True)
    model = ConvNet(args.classes).to(device)
    criterion = MaskedLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    model.train()
    started = time.perf_counter()
    for step, (images, labels) in enumerate(batches, start=1):
        images = images.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % args.report_every == 0:
            print(f"step {step}: loss {loss.item():.4f}")

    print(f"last loss {loss.item():.4f}, {(time.perf_counter() - started) / args.steps * 1000:.1f} ms per step")


if __name__ == "__main__":
    main()
