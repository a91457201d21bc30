"""After the thread on GradScaler: the scale is logged in each step."""

import torch
import wandb


def train(model, loader, optimizer):
    model = model.cuda()
    scaler = torch.amp.GradScaler("cuda", enabled=True)
    for step, (x, y) in enumerate(loader):
        with torch.autocast("cuda"):
            loss = (model(x.cuda(non_blocking=True)) - y.cuda(non_blocking=True)).square().mean()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)  # waits
        scale = scaler.get_scale()  # waits
        scaler.update()
        wandb.log({"loss": loss, "scale": scale})  # waits
        state = scaler.state_dict()  # waits
        print(step, scale, state["growth_factor"])  # clean
