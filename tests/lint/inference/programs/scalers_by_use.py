"""What losses are scaled with before their backward pass, of which nothing else is known."""

import torch


def train(model, loader, optimizer, scaler):
    for batch in loader:
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)
        scaler  # reveal: instance of torch.amp.GradScaler


class Trainer:
    def __init__(self, settings):
        self.scaler = settings.make_scaler() if settings.half else None
        self.chart = settings.make_chart()

    def clip(self, optimizer):
        self.scaler.unscale_(optimizer)
        self.scaler  # reveal: instance of torch.amp.GradScaler | None

    def step(self, loss):
        scaled = self.scaler.scale(loss)
        scaled.backward(create_graph=True)
        self.chart.scale(loss).draw()
        self.chart  # reveal: Unknown


class Own:
    def scale(self, loss):
        return loss

    def step(self, loss):
        own = Own()
        own.scale(loss).backward()
        own  # reveal: instance of scalers_by_use.Own
