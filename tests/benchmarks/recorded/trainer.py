"""A trainer class with callbacks, which finds what waits by its name."""

import torch
from torch import nn


class History:
    def __init__(self):
        self.values = {}

    def on_step(self, logs):
        for name, value in logs.items():
            self.values.setdefault(name, []).append(float(value))


class Trainer:
    def __init__(self, model, callbacks, device):
        self.model, self.callbacks, self.device = model.to(device), callbacks, device
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9)

    def training_step(self, batch):
        inputs, targets = (each.to(self.device) for each in batch)
        loss = nn.functional.mse_loss(self.model(inputs), targets)
        if torch.isnan(loss):
            raise ValueError("the loss is not a number")
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return {"loss": loss.detach(), "largest": targets.abs().max()}

    def fit(self, batches):
        for batch in batches:
            logs = self.training_step(batch)
            for each in self.callbacks:
                getattr(each, "on_" + "step")(logs)


def main():
    data = [(torch.randn(4, 8), torch.randn(4, 1)) for _ in range(30)]
    Trainer(nn.Linear(8, 1), [History()], torch.device("cuda")).fit(data)


if __name__ == "__main__":
    main()
