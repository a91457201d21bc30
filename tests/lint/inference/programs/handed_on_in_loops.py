"""Functions that a loop hands on to code that nobody knows, which may well call them once in each of its passes."""

import torch
from retrying import retry
from tqdm import tqdm


class Trainer:
    def __init__(self) -> None:
        self.net = torch.nn.Linear(3, 3)
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def learn(self, x=None):
        total = 0.0
        for _ in range(4):
            loss = self.net(torch.ones(3)).sum()
            loss.backward()
            total += loss.item()  # frequency: every step
        self.optimizer.step()
        return loss.item()  # frequency: every step

    def look(self):
        return torch.ones(3).sum().item()  # frequency: every step

    def look_now_and_then(self):
        return torch.ones(3).sum().item()  # frequency: every N steps

    def begin(self):
        return torch.ones(3).sum().item()  # frequency: unknown

    def prepare(self):
        return torch.ones(3).sum().item()  # frequency: unknown

    def finish(self):
        return torch.ones(3).sum().item()  # frequency: once


def main(steps, parts) -> None:
    trainer = Trainer()
    retry(trainer.begin)
    for _ in parts:
        retry(trainer.prepare)
        torch.ones(3).sum().item()  # frequency: once
    for step in tqdm(range(steps)):
        torch.ones(3).sum().item()  # frequency: every step
        retry(trainer.learn, tries=3)
        retry(trainer.look)
        if step % 100 == 0:
            retry(trainer.look_now_and_then)
    for _ in parts:
        torch.ones(3).sum().item()  # frequency: once
        retry(lambda: trainer.learn())
    trainer.finish()


main(3, [])
