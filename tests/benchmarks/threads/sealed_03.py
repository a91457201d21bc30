"""After KPConv-PyTorch issue 22: the device is synchronized in each step for a timer."""

import time

import torch


def train(net, loader, optimizer, device):
    net.to("cuda")
    t = [time.time()]
    for batch in loader:
        outputs = net(batch.to("cuda"))  # waits
        loss = net.loss(outputs, batch.labels)
        acc = net.accuracy(outputs, batch.labels)
        loss.backward()
        torch.nn.utils.clip_grad_value_(net.parameters(), 100.0)
        optimizer.step()
        torch.cuda.synchronize()  # waits
        t += [time.time()]
        print(f"L={loss.item():.3f}")  # waits
        print(t[-1] - t[-2])  # clean
