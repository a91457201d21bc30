"""Conditions of which one is enough, or all are needed, that let some steps through."""

import torch


def train(model, loader, optimizer, steps, every, args):
    for step, x in enumerate(loader):
        loss = model(x.cuda()).sum()
        loss.backward()
        last = step == steps
        if last or (args.eval_every > 0 and step % args.eval_every == 0):
            loss.item()  # frequency: every N steps
        if args.eager and step % every == 0 and step > 5:
            loss.item()  # frequency: every N steps
        if step == steps - 1 or step % every == 0:
            loss.item()  # frequency: every N steps
        if (step + 1) % args.log_interval == 0 or (step + 1) == len(loader):
            loss.item()  # frequency: every N steps
        if args.eager or step % every == 0:
            loss.item()  # frequency: every step
        if not (args.eager or step % every == 0):
            loss.item()  # frequency: every step
