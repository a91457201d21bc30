"""The same module logging tensors of the device, which are collected there and read when the logger writes.

Needs Lightning (`pip install lightning`). A step is a short fit; its first batch also sets up
Lightning's own counters.
"""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    from lightning import LightningModule, Trainer
except ImportError:
    raise SystemExit("this example needs Lightning: pip install lightning") from None


class Classifier(LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(32, 10)
        self.register_buffer("smoothing", torch.tensor(0.1))
        self.last_loss = torch.zeros(())

    def training_step(self, batch: tuple[torch.Tensor, torch.Tensor], batch_idx: int) -> torch.Tensor:
        inputs, labels = batch
        logits = self.net(inputs)
        loss = F.cross_entropy(logits, labels)
        self.log("batch_size", torch.full((), len(labels), dtype=torch.float32, device=loss.device))
        self.log("smoothing", self.smoothing)
        self.log("loss", loss)
        self.last_loss = loss.detach()
        return loss

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.parameters(), lr=0.1)


@dataclass
class State:
    module: Classifier
    batches: DataLoader
    device: torch.device


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 32), torch.randint(10, (64,)))
    # synclint: ignore[SYNC602] the data are in memory
    return State(Classifier(), DataLoader(data, batch_size=16, pin_memory=True), device)


def step(state: State) -> torch.Tensor:
    trainer = Trainer(
        accelerator="gpu" if state.device.type == "cuda" else "cpu",
        devices=1,
        max_epochs=1,
        logger=False,
        enable_checkpointing=False,
        enable_model_summary=False,
    )
    trainer.fit(state.module, state.batches)
    return state.module.last_loss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(2):
        step(state)


if __name__ == "__main__":
    main()
