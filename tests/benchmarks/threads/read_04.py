"""After the question how to log metrics of an epoch: an average meter that is given tensors, and one given numbers."""

import torch


class Averager:
    def __init__(self):
        self.total = 0.0
        self.n = 0

    def send(self, value):
        self.total = self.total + value
        self.n += 1

    @property
    def value(self):
        return self.total / self.n if self.n else 0


def train(model, loader, optimizer, epochs):
    model = model.to("cuda")
    hist = Averager()
    for epoch in range(epochs):
        for images, targets in loader:
            images = [image.to("cuda", non_blocking=True) for image in images]
            loss_dict = model(images, targets)
            losses = sum(loss for loss in loss_dict.values())
            loss_value = losses.item()  # waits
            hist.send(loss_value)
            losses.backward()
            optimizer.step()
            print(f"loss: {loss_value}")  # clean
