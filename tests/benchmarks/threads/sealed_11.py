"""After a thread on models that a class chooses by `getattr`."""

import importlib

import torch
import networks


def find(name):
    module = importlib.import_module(f"networks.{name}_model")
    return getattr(module, f"{name.title()}Model")


def main(opt, dataset):
    model = find(opt.model)(opt)
    net = getattr(networks, opt.net)(opt).to("cuda")
    net.train()
    optimizer = torch.optim.Adam(net.parameters())
    for i, data in enumerate(dataset):
        out = net(data["A"].to("cuda", non_blocking=True))
        loss = (out - data["B"].to("cuda", non_blocking=True)).abs().mean()
        loss.backward()
        optimizer.step()
        model.set_loss(loss.item())  # waits
        if i % 100 == 0:  # clean
            print(i)
