"""Hooks that the function takes off again that has put them on: they run while it does, and not in later steps."""

import torch
from torch import nn


class Statistics:
    def __init__(self, layer):
        self.layer = layer
        self.largest = 0.0

    def add(self, x):
        x = torch.ones(3, device="cuda")
        self.largest = x.abs().max().item()  # frequency: evaluation


def prune(layers, samples):
    for layer in layers:
        found = {}
        for name, part in layer.named_modules():
            found[name] = Statistics(part)

        def adding(name):
            def add(module, given, out):
                found[name].add(given[0])

            return add

        handles = []
        for name, part in layer.named_modules():
            handles.append(part.register_forward_hook(adding(name)))
        for sample in samples:
            layer(sample)
        for handle in handles:
            handle.remove()


def watch_training(net, optimizer, samples):
    def watch(module, given, out):
        given[0].norm().item()  # frequency: every step

    handle = net.register_forward_hook(watch)
    for sample in samples:
        net(sample).sum().backward()
        optimizer.step()
    handle.remove()


def watch_from_now_on(net, names):
    def watch(module, given, out):
        given[0].norm().item()  # frequency: every step

    names.remove("head")
    net.register_forward_hook(watch)


def features(net, x):
    def keep(module, given, out):
        out.norm().item()  # frequency: every pass of a loop in a step

    handle = net.head.register_forward_hook(keep)
    y = net(x)
    handle.remove()
    return y


def train(net, optimizer, samples):
    for sample in samples:
        features(net, sample).sum().backward()
        optimizer.step()


def main(samples) -> None:
    net = nn.Linear(3, 3).cuda()
    watch_from_now_on(net, ["head"])
    prune(net.children(), samples)
    optimizer = torch.optim.Adam(net.parameters())
    watch_training(net, optimizer, samples)
    train(net, optimizer, samples)


main([])
