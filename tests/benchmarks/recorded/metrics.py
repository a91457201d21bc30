"""Training with metrics: some on the device, one that checks its arguments, one that is read at the end."""

import torch
import torchmetrics
from torch import nn


def main():
    device = torch.device("cuda:0")
    model = nn.Linear(16, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss_of = nn.CrossEntropyLoss()
    accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=3).to(device)
    average = torchmetrics.MeanMetric().to(device)
    last = torchmetrics.F1Score(task="multiclass", num_classes=3, validate_args=False).to(device)
    for epoch in range(3):
        for _ in range(8):
            inputs = torch.randn(8, 16, device=device)
            labels = torch.randint(0, 3, (8,), device=device)
            scores = model(inputs)
            loss = loss_of(scores, labels)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            average.update(loss.detach())
            accuracy(scores, labels)
            last.update(scores, labels)
        print(epoch, average.compute().item(), accuracy.compute().item(), last.compute().item())


if __name__ == "__main__":
    main()
