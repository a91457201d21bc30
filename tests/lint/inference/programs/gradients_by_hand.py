"""Updates that are written by hand: the gradients of parameters are asked for, and no optimizer is stepped."""

import torch
from torch import autograd, nn
from torch.autograd import grad


def improve(policy, loss, states):
    gradients = autograd.grad(loss, policy.parameters())
    direction = torch.cat([each.reshape(-1) for each in gradients])
    for share in (1.0, 0.5, 0.25):
        write(policy, share * direction)
        if policy(states).sum() < loss:
            return share
    return direction.norm().item()  # frequency: every step


def write(policy, flat):
    at = 0
    for each in policy.parameters():
        each.data.copy_(flat[at : at + each.numel()].view_as(each))
        at += each.numel()


def update(policy, states):
    with torch.no_grad():
        before = policy(states)
    loss = (policy(states) - before).sum()
    improve(policy, loss, states)
    return before.sum().item()  # frequency: every step


def main(rollouts) -> None:
    policy = nn.Linear(3, 3)
    for number in range(100):
        update(policy, rollouts[number])
    for number in range(100):
        forces(policy, rollouts[number])
        penalty(policy, rollouts[number])


def forces(energy_of, positions):
    energy = energy_of(positions).sum()
    found = grad(outputs=energy, inputs=positions)[0]
    return found.norm().item()  # frequency: once


def penalty(judge, real):
    mixed = real.requires_grad_()
    gradients = autograd.grad(judge(mixed).sum(), mixed, create_graph=True)[0]
    return gradients.norm().item()  # frequency: once


def descend(net, x):
    weights = dict(net.named_parameters())
    for _ in range(5):
        loss = net(x).sum()
        slopes = torch.autograd.grad(loss, weights.values())
        loss.item()  # frequency: every step
        for each, slope in zip(weights.values(), slopes):
            each.data -= slope


class Learner:
    def __init__(self, net):
        self.net = net

    def adapt(self, x):
        loss = self.net(x).sum()
        slopes = grad(loss, list(self.net.parameters()))
        return loss.item(), slopes  # frequency: every step (assumed)

    def attack(self, x):
        loss = self.net(x).sum()
        return grad(loss, [x])


main([])
