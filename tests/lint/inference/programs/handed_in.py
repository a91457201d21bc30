"""Objects that are handed in: attributes bound by name, unions of classes, base classes without the method."""

import torch


class Holder:
    def register(self, **parts):
        for name, part in parts.items():
            if part is None:
                print(name)
            setattr(self, name, part)

    def remember(self, **texts):
        for name, text in texts.items():
            setattr(self, "_" + name, text)


class Schedule:
    def scaled(self, x: torch.Tensor) -> torch.Tensor:
        return x


class Linear(Schedule):
    def __init__(self):
        self.levels = torch.linspace(0, 1, 9)

    def prepare(self, device):
        self.times = torch.arange(9, device=device)

    def step(self, noise: torch.Tensor, t: int, x: torch.Tensor):
        t  # reveal: Tensor[any device, int, rank 0]
        if t > 0:  # operation: Truth
            x = x - noise
        return x

    def mixed(self, x: torch.Tensor, y: torch.Tensor):
        x  # frequency: every step (assumed)
        return x + y


class Cosine(Schedule):
    def prepare(self, device):
        self.times = torch.arange(9, device=device).flip(0)

    def step(self, noise: torch.Tensor, t: int, x: torch.Tensor):
        t  # reveal: Tensor[any device, int, rank 0]
        if t == 0:  # operation: Truth
            return x
        return x + noise


class Text(Schedule):
    def step(self, noise: torch.Tensor, t: int, x: torch.Tensor, words: str = ""):
        return x


class Alone:
    def step(self, noise: torch.Tensor, t: int, x: torch.Tensor):
        t  # reveal: int
        if t > 0:  # operation: none
            x = x - noise
        return x


def times_of(schedule, device):
    schedule.prepare(device)
    return schedule.times


class Union(Holder):
    def __init__(self, net: torch.nn.Module, schedule: Linear | Cosine):
        self.register(net=net, schedule=schedule)

    def __call__(self, x: torch.Tensor):
        x = self.schedule.mixed(x, x)
        for t in times_of(self.schedule, x.device):
            t  # reveal: Tensor[any device, int, rank 0]
            x = self.schedule.step(self.net(x), t, x)
        return x


class Base(Holder):
    def __init__(self, net: torch.nn.Module, schedule: Schedule):
        self.register(net=net, schedule=schedule)

    def __call__(self, x: torch.Tensor):
        self.schedule.prepare(x.device)
        for t in self.schedule.times:
            x = self.schedule.step(self.net(x), t, x)
        return x


class Renamed(Holder):
    def __init__(self, alone: Alone):
        self.remember(alone=alone)

    def __call__(self, x: torch.Tensor):
        self.alone  # reveal: Unknown
        return self.alone.step(x, x.sum(), x)
