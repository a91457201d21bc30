"""Steps whose gradients are added up: what is done when all of them are there is done at each step."""

import torch


def train(model, loader, optimizer, args, accumulation_steps, every):
    for i, batch in enumerate(loader):
        loss = model(batch).sum() / accumulation_steps
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            norm.item()  # frequency: every step
            optimizer.step()
            norm.item()  # where: nothing
        if i % args.grad_acc_steps == 0 and args.noted:
            loss.item()  # frequency: every step
        if i % every == 0:
            loss.item()  # frequency: every N steps
        if i % args.accuracy_steps == 0:
            loss.item()  # frequency: every N steps
        if i % args.accum_iter:
            continue
        loss.item()  # frequency: every step
        loss.item()  # where: nothing


def norms_of(module: torch.nn.Module):
    found = {name: p.grad.data.norm(2).item() for name, p in module.named_parameters()}  # frequency: every step (assumed)
    return found


def sizes_of(module: torch.nn.Module):
    return {name: p.data.norm(2).item() for name, p in module.named_parameters()}  # frequency: unknown
