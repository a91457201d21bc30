"""Loops over what runs a backward pass: they are over steps, whatever the loop goes through."""

import torch


class Agent:
    def __init__(self) -> None:
        self.net = torch.nn.Linear(3, 3)
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def learn(self, x):
        loss = self.net(x).sum()
        loss.backward()
        self.optimizer.step()
        return loss.item()  # frequency: every step

    def look(self, x):
        return x.sum().item()  # frequency: once

    def finish(self, x):
        self.net(x).sum().backward()
        return x.sum().item()  # frequency: once

    def all_steps(self, data):
        for x in data:
            self.net(x).sum().backward()
            self.optimizer.step()
        return x.sum().item()  # frequency: once


class Learner:
    def __init__(self, net) -> None:
        self.net = net
        self.optimizers = {"net": torch.optim.Adam(net.parameters())}

    def optimize(self, loss):
        for optimizer in self.optimizers.values():
            optimizer.zero_grad()
        loss.backward()

    def one_step(self, x):
        loss = self.net(x).sum()
        loss.item()  # frequency: every step
        self.optimize(loss)

    def warm_up(self, x, often):
        if often:
            self.optimize(self.net(x).sum())
        return x.sum().item()  # frequency: once


class Careful(Learner):
    def both_steps(self, x):
        self.one_step(x)
        return x.sum().item()  # frequency: every step


def sampled(agent, data):
    for part in data.shuffled(32):
        agent.learn(part)


def main(data) -> None:
    agent = Agent()
    agent.look(data)
    for _ in range(100):
        agent.look(data)
    for _ in range(100):
        agent.learn(data)
    for name in ("a", "b"):
        agent.all_steps(data)
    agent.finish(data)


def main_of_learner(x, todo) -> None:
    learner = Careful(torch.nn.Linear(3, 3))
    done = 0
    while done < 100:
        for _ in todo:
            learner.one_step(x)
        for _ in todo:
            learner.both_steps(x)
        done += 1
    learner.warm_up(x, False)


def main_of_epochs(data) -> None:
    agent = Agent()
    for epoch in range(10):
        sampled(agent, data)


if __name__ == "__main__":
    for channels in (1, 16):
        check_backward_equal_with_reference(channels, torch.nn.Linear(3, 3).cuda())
    main(load())
    main_of_epochs(load())
    main_of_learner(load(), load())


def improve(model, x):
    loss = model(x).mean()
    loss.backward()
    return loss


def call_in_a_loop(model, items):
    for at in range(100):
        x = items[at].cuda()
        loss = improve(model, x)
        loss.item()  # frequency: every step
        if at % 10 == 0:
            loss.item()  # frequency: every N steps


def call_for_each_fold(model, items):
    for fold in range(5):
        train_for_an_epoch(model, items)
        print(fold)  # frequency: unknown


def train_for_an_epoch(model, items):
    for at in range(100):
        improve(model, items[at])
