"""After the thread on checkpoints that stall the training: state is written in each step."""

import torch


def save_checkpoint(state, is_best, filename="checkpoint.pth"):
    torch.save(state, filename)  # waits
    return is_best


def train(model, loader, optimizer, scaler):
    model = model.cuda()
    for step, (x, y) in enumerate(loader):
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        loss = (model(x) - y).square().mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # waits
        scaler.update()
        save_checkpoint({"model": model.state_dict(), "step": step}, False)
        torch.save({"step": step}, "step.pt")  # clean
