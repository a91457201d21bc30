"""What runs seldom, and what only looks so: counters, flags, memos, evaluation, callbacks, workers."""

import math

import matplotlib.pyplot as plt
import project.utils
import numpy as np
import torch
from torch import nn
from torch.distributions import Distribution
from torch.utils.data import DataLoader, IterableDataset

CACHE = {}


def train(model, loader, optimizer, n, warmup_steps, blocks):
    for i, batch in enumerate(loader):
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        if i == 1 or i % n == 0:
            loss.item()  # frequency: every N steps
        if i % n == 0 or i == 1:
            loss.item()  # frequency: every N steps
        if i == 0:
            loss.item()  # frequency: every N steps
        if i == len(loader) - 1:
            loss.item()  # frequency: every N steps
        if n > 1 and len(loader) == i + 1:
            loss.item()  # frequency: every N steps
        if i != len(loader) - 1:
            loss.item()  # frequency: every step
        if n == len(loader) - 1:
            loss.item()  # frequency: every step
        if torch.isnan(loss).any() or torch.isinf(loss):
            loss.item()  # frequency: failure
        if not math.isfinite(loss):
            loss.item()  # frequency: failure
        if not torch.all(torch.isfinite(loss)):
            loss.item()  # frequency: failure
        if all(torch.isfinite(loss)):
            loss.item()  # frequency: every step
        if batch is None or batch.numel() == 0 or batch.shape[1] == 0:
            loss.item()  # frequency: every N steps
        if batch is None or batch.numel() == 0 or n:
            loss.item()  # frequency: every step
        plan = batch.numpy(force=True)
        if np.all(np.isfinite(plan)):
            print("finite")
            print(loss.item())  # frequency: every step
        value = loss if batch.numel() > 0 else torch.tensor(0.0)
        i % n == 0 and loss.item()
        for block_id, block in enumerate(blocks):
            if block_id == 0:
                block.item()  # frequency: every step
            if block_id + 1 == len(blocks):
                block.item()  # frequency: every step
            if block_id < len(blocks):
                block.item()  # frequency: every step


class Net(nn.Module):
    def __init__(self, debug_shapes=False, keep=False):
        super().__init__()
        self.keep = keep

    def forward(self, x, block_id, with_stats=False, global_step=0):
        if block_id == 0:
            x.mean()  # frequency: every step
        if not self.training:
            x.mean()  # frequency: evaluation
        if self.training:
            x.mean()  # frequency: every step
        else:
            x.mean()  # frequency: evaluation
        if with_stats:
            x.mean()  # frequency: every step
        if self.keep and x.dim() > 1:
            x.mean()  # frequency: every step
        if torch.cuda.is_current_stream_capturing():
            x.mean()  # frequency: once
        if block_id not in CACHE:
            CACHE[block_id] = x.mean()  # frequency: once
        kept = self.kept.get(block_id)
        if kept is None:
            self.kept[block_id] = kept = x.mean()  # frequency: once
        if "steps" not in self.sums[block_id]:
            self.sums[block_id]["steps"] = x.mean()  # frequency: once
        groups = {}
        if block_id not in groups:
            groups[block_id] = x.mean()  # frequency: every step
        if "steps" not in groups[block_id]:
            groups[block_id]["steps"] = x.mean()  # frequency: every step
        return x


class Positive(Distribution):
    def __init__(self, scale: torch.Tensor):
        scale.min().item()  # frequency: every step (assumed)


class Rollouts(IterableDataset):
    def __iter__(self):
        while True:
            action = self.policy(self.observation)
            action.item()  # frequency: every step


class Lines(IterableDataset):
    def __iter__(self):
        yield torch.zeros(3).sum().item()  # frequency: never


def collate(samples: torch.Tensor):
    return samples.max()  # frequency: never


def report(losses: torch.Tensor):
    return losses.max()  # frequency: every step (assumed)


LOADER = DataLoader([], collate_fn=collate)
some_engine.on_event(report)  # noqa: F821


@project.utils.triton.jit
def kernel(x_ptr):
    x = x_ptr + 1  # frequency: never


def accumulate(model, parts, batch):
    total = 0
    for part in parts:
        loss = model(part, batch)
        loss.backward()
        total += loss.item()  # frequency: every step
    if total > 0:
        loss.item()  # frequency: every step (assumed)
    return total


class Boxes:
    @classmethod
    def of_corners(cls, corners: torch.Tensor):
        low = corners.min()  # frequency: unknown
        return cls(low)


def look_at(losses: torch.Tensor):
    plt.plot(losses.max())  # frequency: unknown


class Metrics:
    def on_batch_end(self, runner):
        if not runner.is_valid_loader:
            return
        boxes(runner.batch)

    def on_batch_start(self, runner, x: torch.Tensor):
        if runner.is_train_loader:
            return x.mean()  # frequency: every step (assumed)
        return x.sum()  # frequency: evaluation (assumed)


def boxes(found: torch.Tensor):
    return found.max()  # frequency: evaluation (assumed)


def look(model, vis_loader):
    for images in vis_loader:
        model(images).sum()  # frequency: evaluation


def counted(loader, model):
    model.cuda()
    for batch in loader:
        loss = model(batch.cuda()).sum()
        loss.backward()
        count = len(batch.boxes)
        if count == 0:
            loss.item()  # frequency: every N steps
            continue
        loss.item()  # frequency: every step
        found = 0
        for box in batch.boxes:
            found += 1
        if found == 0:
            loss.item()  # frequency: every step


class AskingForTheDevice(nn.Module):
    def forward(self, x):
        window = torch.ones(3)
        if window.is_cuda:
            x = x.mean()  # frequency: once
        y = x.abs() if x.dim() and window.is_cuda else x
        if x.is_cuda:
            window = window.cuda()  # frequency: every step
        if not torch.ones(3).is_cuda:
            x = x.sum()  # frequency: every step
        other = torch.ones(3)
        if not other.is_cuda:
            x = x.sum()  # frequency: every step
        if window.is_cuda:
            return y.mean()  # frequency: every step
        return x


class InPlaceOfAKernel(nn.Module):
    def forward(self, x, sizes, image, batch, weight):
        if torch.cuda.is_available() and x.is_cuda:
            x = x.mean()  # frequency: every step
        else:
            x = fallback(x, sizes)  # frequency: once
        if not torch.cuda.is_available() or x.device != torch.device("cpu"):
            x = x.prod()  # frequency: every step
        else:
            x = x.sum()  # frequency: once
        small = image.is_cpu
        if small and self.training:
            x = sizes.sum()  # frequency: once
        if not image.is_cuda:
            image = image.cuda()  # frequency: every step
        if not batch["x"].is_cuda:
            batch = move_to_device(batch, self.device)  # frequency: every step
        if not torch.cuda.is_available() and not image.is_cuda:
            x = x.max()  # frequency: once
        if self.training or not weight.is_cuda:
            x = x.min()  # frequency: every step
        if weight.is_cuda:
            return x.mean()  # frequency: every step
        return x.std()  # frequency: once


def fallback(x, sizes):
    return x.reshape(sizes[0].item())  # frequency: once


class Collator:
    def __call__(self, samples):
        return torch.stack(samples)  # frequency: never


COLLATED = DataLoader([], collate_fn=Collator())


def in_states(x: torch.Tensor, opt, test=False, train=True, overflow_loss=False):
    if opt.test:
        x.mean()  # frequency: evaluation (assumed)
    if test or opt.isTrain:
        x.mean()  # frequency: every step (assumed)
    if not train:
        x.mean()  # frequency: evaluation (assumed)
    if not opt.isTrain:
        x.mean()  # frequency: evaluation (assumed)
    if opt.check_overflow or opt.return_overflowing_tokens:
        x.mean()  # frequency: every step (assumed)
    if opt.iterations.needs_displaying():
        x.mean()  # frequency: every N steps (assumed)
    if opt.cosines[0, 0] == 0:
        opt.cosines, opt.sines = x.mean(), x.max()  # frequency: once (assumed)
    if opt.tables is None:
        opt.tables, opt.sums = x.mean(), x.max()  # frequency: once (assumed)
    if opt.counts[0] == 9:
        opt.counts = x.mean()  # frequency: every step (assumed)
    if opt.counts[0] != 0:
        opt.counts = x.mean()  # frequency: every step (assumed)


class Formula(torch.nn.Module):
    def forward(self, x):
        if not self.training:
            return self.evaluate_ready(x)
        return self.evaluate_true(x)

    def evaluate_true(self, x):
        return self._evaluate_true(x)


class Square(Formula):
    def _evaluate_true(self, x):
        return x.sum()  # frequency: every step


def is_mirrored(x: torch.Tensor):
    if x.size(1) % 2 == 0:
        return x.sum()  # frequency: every step (assumed)


def learn_now_and_then(model, env, optimizer, every):
    for step in range(1000):
        batch = env.step(model.act())
        if step % every == 0:
            loss = model(batch).sum()
            loss.backward()
            optimizer.step()
            loss.item()  # frequency: every step
            loss.item()  # where: step % every == 0
            if step % 100 == 0:
                loss.item()  # frequency: every N steps
        if step % 100 == 0:
            model.weight.sum().item()  # frequency: every N steps


def learn_more_now_and_then(model, loader, optimizer, every):
    for step, batch in enumerate(loader):
        model(batch).sum().backward()
        if step % every == 0:
            loss = model.penalty(batch).sum()
            loss.backward()
            loss.item()  # frequency: every N steps


def try_now_and_then(policy, env, optimizer, every):
    for episode in range(1000):
        for _ in range(100):
            policy(env.reset()).sum().backward()
            optimizer.step()
        if episode % every == 0:
            belief = torch.zeros(3, device="cuda")
            with torch.no_grad():
                for _ in range(100):
                    belief = policy(belief)
                    belief.sum().item()  # frequency: every N steps
