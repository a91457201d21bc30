"""How often lines run."""

from functools import lru_cache

import ignite.metrics
import lightning as L
import tilelang.language as T
import torch
import torchvision
import triton
import warp as wp
from torch import nn
from torch.utils.data import DataLoader, Dataset
from transformers import Trainer, TrainerCallback

SETTING = torch.zeros(3).sum()  # frequency: once


def train(model, loader, optimizer, epochs, criterion):
    model.train()  # frequency: every epoch
    for epoch in range(epochs):
        start = epoch  # frequency: every epoch
        for step, (x, y) in enumerate(loader):
            loss = criterion(model(x), y)  # frequency: every step
            loss.backward()
            optimizer.step()
            if step % 100 == 0:
                print(loss)  # frequency: every N steps
            if should_log(step):
                print(loss)  # frequency: every N steps
            if not torch.isfinite(loss):
                raise RuntimeError(f"{loss}")  # frequency: failure
            for parameter in model.parameters():
                parameter.grad.norm()  # frequency: every pass of a loop in a step
            try:
                loss.item()  # frequency: every step
            except RuntimeError:
                print(loss)  # frequency: failure
            helper(loss)
        evaluate(model, loader)


def helper(loss):
    loss.item()  # frequency: every step


@torch.no_grad()
def evaluate(model, loader):
    for x, y in loader:
        model(x).argmax().item()  # frequency: evaluation


def generate(model, ids, length):
    for _ in range(length):
        logits = model(ids)  # frequency: every step
        ids = torch.cat([ids, logits.argmax(-1)])


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.x = torch.zeros(3).sum()  # frequency: once

    def forward(self, x):
        y = x + 1  # frequency: every step
        for _ in range(3):
            y = y + 1  # frequency: every pass of a loop in a step
        return y

    def reset_parameters(self):
        self.x.fill_(0)  # frequency: once


class Data(Dataset):
    def __getitem__(self, index):
        return torch.zeros(3).sum().item()  # frequency: never # operation: none


class Lit(L.LightningModule):
    def training_step(self, batch, index):
        loss = batch.mean()  # frequency: every step
        return self.shared(loss)

    def validation_step(self, batch, index):
        loss = batch.mean()  # frequency: evaluation

    def shared(self, loss):
        return loss * 2  # frequency: every step

    def on_train_epoch_end(self):
        x = torch.zeros(3)  # frequency: every epoch


@triton.jit
def kernel(x_ptr):
    x = x_ptr + 1  # frequency: never


def tiled(rows: int):
    @T.prim_func
    def tiled_kernel(x: T.Tensor):
        total = x + 1  # frequency: never
        return total

    return tiled_kernel


@wp.kernel
def simulated(x: wp.array):
    total = x + 1  # frequency: never


def accuracy(output: torch.Tensor, target: torch.Tensor):
    return (output == target).float().mean().item()  # frequency: every step (assumed)


def nobody_knows(a, b):
    return a + b  # frequency: unknown


def main():
    for batch in DataLoader([]):
        use(batch)  # frequency: every step


if __name__ == "__main__":
    main()


class Lazy(nn.Module):
    def forward(self, x):
        if self.scale is None:
            self.scale = x.abs().max()  # frequency: once
        if self.index is None:
            self._init_index(x)
        return x

    def _init_index(self, x):
        self.index = x.argmax()  # frequency: once


def set_statistics(distance: torch.Tensor):
    return distance.max()  # frequency: every step (assumed)


def without_loops(edges: torch.Tensor, layout: str | None):
    if edges is None:
        edges.sum()  # frequency: failure (assumed)
        raise ValueError
    if layout is not None:
        edges = edges.sum()  # frequency: every step (assumed)
        if layout == "coo":
            return edges
        raise ValueError(layout)
    return edges


def make_mask(lengths: torch.Tensor):
    return lengths.max()  # frequency: every step (assumed)


def make_model(width: int):
    return torch.zeros(width)  # frequency: once


def validate_one_epoch(model, x: torch.Tensor):
    return x.mean()  # frequency: evaluation


def validate_boxes(boxes: torch.Tensor):
    return boxes.min()  # frequency: every step (assumed)


@lru_cache(maxsize=None)
def filters(device, count: int):
    return torch.zeros(count).to(device)  # frequency: once


def train_with_named_gates(model, loader, optimizer, every):
    for step, batch in enumerate(loader):
        loss = model(batch)
        loss.backward()
        optimizer.step()
        is_console_step = (step % every == 0) or step == 3
        is_metric_step = (step % 7 == 0) or is_console_step
        if is_metric_step:
            print(loss)  # frequency: every N steps
        is_large = loss > 3
        if is_large:
            print(loss)  # frequency: every step


class Sized(nn.Module):
    def forward(self, x):
        size = x.shape
        if self.size != size:
            self.anchors = x.abs().max()  # frequency: once
            self.size = size
        if self.other != size:
            self.anchors = x.abs().max()  # frequency: every step
        return x


class Runner:
    def __call__(self):
        with torch.no_grad():
            for batch in self.val_loader:
                self.follow(batch)

    def follow(self, batch):
        pass


class NamingRunner(Runner):
    def follow(self, x: torch.Tensor):
        x.sum().item()  # frequency: evaluation

    def alone(self, x: torch.Tensor):
        x.sum().item()  # frequency: every step (assumed)


def sample(latents: torch.Tensor, scheduler):
    latents = latents * 2
    set_timesteps(scheduler, 20)
    return latents


def set_timesteps(scheduler, count):
    scheduler.timesteps = torch.arange(count).to("cuda")  # frequency: once


def train_and_set(model, loader):
    for batch in loader:
        model(batch).backward()
        set_scale(model, batch)


def set_scale(scheduler, x):
    scheduler.scale = x.abs().max()  # frequency: every step


class Traced(nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting():
            return x.abs()  # frequency: once
        if torchvision._is_tracing():
            return x.exp()  # frequency: once
        if not torch.jit.is_tracing() and x.shape[0] > 1:
            x = x.min()  # frequency: every step
        if not torch.onnx.is_in_onnx_export():
            x = x.max()  # frequency: every step
        else:
            x = x.sum()  # frequency: once
        if x.device.type == "mps":
            x = x.mean()  # frequency: once
        elif x.device.type != "xpu" and self.training:
            x = x.prod()  # frequency: every step
        is_mps = x.device.type == "mps"
        if is_mps:
            x = x.cumsum(0)  # frequency: once
        if torch.backends.mps.is_available():
            x = x.exp2()  # frequency: once
        else:
            x = x.log2()  # frequency: every step # where: nothing
        if x.device.type == "cpu" and self.training:
            x = x.std()  # frequency: once
        if getattr(self, "criterion", None) is None:
            self.criterion = x.var()  # frequency: once
        return x


class Greedy:
    def update(self, x: torch.Tensor):
        return x.argmax()  # frequency: every step

    def finalize(self, x: torch.Tensor):
        return x.tolist()  # frequency: once


class Beam(Greedy):
    def update(self, x: torch.Tensor):
        return x.topk(3)  # frequency: every step


class Decoding:
    def __init__(self, beams):
        if beams:
            self.decoder = Beam()
        else:
            self.decoder = Greedy()

    def main(self, model, ids):
        for _ in range(10):
            ids = self.decoder.update(model(ids))
        return self.decoder.finalize(ids)


def halves(x, depth):
    x.sum().item()  # frequency: every step
    return rounds(x, depth - 1)


def rounds(x, depth):
    x.sum().item()  # frequency: every step
    return halves(x, depth)


def train_rounds(model, loader):
    for batch in loader:
        model(batch).backward()
        halves(batch, 3)


def info(detailed: bool = False, size: int | list[int] = 640):
    torch.zeros(3).sum()  # frequency: unknown


def described(sizes: list[torch.Tensor] | None = None):
    torch.zeros(3).sum()  # frequency: every step (assumed)


class Agent(nn.Module):
    def act(self, x):
        return self.net(x).argmax()

    def name(self, index):
        return str(index)


def rollout(envs, optimizer, iterations):
    agent = Agent().to("cuda")
    seen = torch.zeros(4, device="cuda")
    for _ in range(iterations):
        for _ in range(8):
            action = agent.act(seen)  # frequency: every step
            envs.step(action.cpu())
        for index in range(8):
            agent.name(index)  # frequency: every epoch
        for _ in range(4):
            agent.act(seen).sum().backward()  # frequency: every step
            optimizer.step()


def train_and_sample(model, loader, optimizer, epochs, validate_every):
    for step, batch in enumerate(loader):
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        if divisible_by(step, validate_every):
            print(loss)  # frequency: every N steps
    network = Agent()
    for epoch in range(epochs):
        run_one(epoch)
        network.act(torch.zeros(3)).cpu()  # frequency: every epoch


def encode_prompts(encoders, prompt: torch.Tensor):
    for text_encoder in encoders:
        prompt = text_encoder(prompt)  # frequency: every pass of a loop in a step (assumed)
    return prompt


def log_eval_results(total: torch.Tensor):
    total.sum().item()  # frequency: evaluation


class Rotary(nn.Module):
    def forward(self, x):
        if self.angles.shape[0] != x.shape[1]:
            self.angles = torch.arange(x.shape[1]).to(x.device)  # frequency: once
        return x * self.angles


def scores_tensor_validation(scores: torch.Tensor):
    scores.min().item()  # frequency: every step (assumed)


class Leaving(nn.Module):
    def forward(self, x):
        self.by_flag(x)
        self.by_getattr(x)
        self.by_hasattr(x)
        self.by_registering(x)
        self.by_none(x)
        self.taken_back(x)
        self.not_ready(x)
        self.at_first(x)
        self.again_and_again(x)
        return x

    def by_flag(self, x):
        if self.ready:
            return
        self.width = x.max()  # frequency: once
        self.ready = True

    def by_getattr(self, x):
        if getattr(self, "_done", False):
            return
        self.width = x.max()  # frequency: once
        self._done = True

    def by_registering(self, x):
        if not hasattr(self, "table"):
            self.register_buffer("table", x.cos().max())  # frequency: once
        if not hasattr(self, "width"):
            setattr(self, "width", x.max().item())  # frequency: once
        if not hasattr(self, "depth"):
            self.register_buffer("other", x.cos().max())  # frequency: every step

    def by_hasattr(self, x):
        if hasattr(self, "height"):
            return self.height
        self.height = x.max()  # frequency: once
        return self.height

    def by_none(self, x):
        if self.depth is not None:
            return self.depth  # frequency: every step
        self.depth = x.max()  # frequency: once
        return self.depth

    def taken_back(self, x):
        if self.was_seen:
            return
        self.area = x.max()  # frequency: every step
        self.was_seen = True

    def zero_grad(self):
        self.was_seen = False

    def not_ready(self, x):
        if not self.made:
            self.area = x.max()  # frequency: once
            self.made = True

    def at_first(self, x):
        if self.first:
            self.area = x.max()  # frequency: once
            self.first = False

    def again_and_again(self, x):
        if self.outdated:
            self.area = x.max()  # frequency: every step
            self.outdated = False

    def reset(self):
        self.outdated = True


def train_and_leave(model, loader, rank, every, should_log, logger):
    for step, batch in enumerate(loader):
        loss = model(batch).sum()
        loss.backward()
        if rank == 0:
            print(loss)  # frequency: every step
        if step % every:
            print(loss)  # frequency: every step
        else:
            print(loss)  # frequency: every N steps
        if step % every != 0:
            print(loss)  # frequency: every step
            continue
        print(loss)  # frequency: every N steps


def train_and_log(model, loader, every, should_log, logger):
    for step, batch in enumerate(loader):
        loss = model(batch).sum()
        loss.backward()
        log_now_and_then(loss, step, every)
        log_if_told(loss, logger)
        if loss.shape[0] == 3:
            continue
        print(loss)  # frequency: every step
        if step == 0:
            print(loss)  # frequency: every N steps
        if not should_log:
            continue
        print(loss)  # frequency: every N steps


def log_now_and_then(loss, step, every):
    if not (step % every == 0 and loss.is_cuda):
        return
    print(loss)  # frequency: every N steps


def log_if_told(loss, logger):
    if logger is None:
        return
    print(loss)  # frequency: every step


class Tuned(Trainer):
    def compute_loss(self, model, inputs):
        return model(inputs).mean()  # frequency: every step

    def log(self, logs):
        logs["loss"] = self.total.mean().item()  # frequency: every N steps

    def create_optimizer(self):
        return self.model.weight.norm()  # frequency: once


class Watching(TrainerCallback):
    def on_step_end(self, args, state, control, model):
        print(model.weight.norm())  # frequency: every step

    def on_log(self, args, state, control, model):
        print(model.weight.norm())  # frequency: every N steps

    def on_evaluate(self, args, state, control, model):
        print(model.weight.norm())  # frequency: evaluation


def train_on_policy(model, loader, log_probs, log_grads):
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        if log_probs is not None:
            print(loss)  # frequency: every step
        if log_grads:
            print(loss)  # frequency: every step
        if not __debug__:
            continue
        print(loss)  # frequency: every step


def accumulated(model, optimizers, loader, steps, parts):
    for step in range(steps):
        for _ in range(parts):
            loss = model(next(loader)).sum()
            loss.backward()  # frequency: every step
        norm = loss.item()  # frequency: every step
        for opt in optimizers:
            opt.step()


def several(model, optimizers, scaler, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            loss = model(batch).sum()
            loss.backward()
            for optim in optimizers:
                scaler.step(optim)
        loss.item()  # frequency: every epoch


class Engine:
    def train_step(self, batch):
        return batch["x"].sum().item()  # frequency: every step

    def no_sync_forward(self, x: torch.Tensor):
        if self.summary:
            return x.sum().item()  # frequency: every N steps (assumed)
        if self.sync_gradients:
            return x.sum().item()  # frequency: every step (assumed)
        return x


class Ragged:
    def __init__(self, values, lengths):
        self._values, self._lengths = values, lengths

    def lengths(self):
        return self._lengths

    def longest(self):
        return self.lengths().unsqueeze(0).max().item()  # frequency: every step (assumed)

    def name(self):
        return str(self.lengths())  # frequency: unknown


class Count(ignite.metrics.Metric):
    def update(self, output):
        output  # frequency: every step

    def compute(self):
        return self.total.item()  # frequency: every epoch


class Trainer:
    def train_all(self):
        while True:
            bar = enumerate(self.train_loader)
            if self.rank == 0:
                bar = self.tqdm(enumerate(self.train_loader), total=3)
            for step, batch in bar:
                self.scaler.scale(self.model(batch)).backward()  # frequency: every step
            print(self.total)  # frequency: every epoch


class Watches:
    """A call-back of a framework of one's own, which is called by the names of its methods."""

    def on_batch_end(self, runner):
        runner.loss.cuda().item()  # frequency: every step (assumed)

    def after_backward(self):
        self.runner.loss.cuda().item()  # frequency: every step (assumed)

    def on_epoch_end(self, loss: torch.Tensor):
        loss.item()  # frequency: every epoch

    def after_val_epoch(self, loss: torch.Tensor):
        loss.item()  # frequency: evaluation

    def before_fit(self, loss: torch.Tensor):
        loss.item()  # frequency: once

    def on_device(self, loss: torch.Tensor):
        loss.item()  # frequency: every step (assumed)




class Restored:
    def feed_data(self, data):
        self.low = data["low"].to(self.device)  # frequency: every step

    def nondist_validation(self, loader):
        for step, data in enumerate(loader):
            self.feed_data(data)
            self.net.eval()  # frequency: evaluation

    def fit(self, loader, model):
        for data in loader:
            model.feed_data(data)
            model.optimize_parameters()


def fit(dataloaders, model, optimizer):
    step = lambda: int(model.count)
    for epoch in range(3):
        for batch in dataloaders["train"]:
            model(batch).backward()  # frequency: every step
            optimizer.step()
        for batch in dataloaders["val"]:
            model(batch)  # frequency: evaluation
        print(step())  # frequency: every epoch


def plot_all(models, x):
    for name, model in models:
        print(model(x))  # frequency: evaluation


def plot_top_losses(losses, k):
    return losses.topk(k)[1].tolist()  # frequency: once


class Windowed(torch.nn.Module):
    def forward(self, image, channel):
        if channel == self.channel and self.window.dtype == image.dtype:
            window = self.window
        else:
            window = torch.ones(channel).cuda()  # frequency: once
            self.window = window
            self.channel = channel
        for at in range(0, image.shape[0], self.part):
            print(at)  # frequency: every step
            for each in image:
                print(each)  # frequency: every pass of a loop in a step
        for at in enumerate(range(0, image.shape[0], 2048)):
            print(at)  # frequency: every step
        for at in range(0, image.shape[0], 2):
            for _ in range(0, 100, self.part):
                print(at)  # frequency: every pass of a loop in a step
        return window * image


def drawn_again(model, tokenizer, validation_prompts, prompts):
    for prompt in validation_prompts:
        image = model(tokenizer(prompt))
        print(image.mean().item())  # frequency: evaluation
    for prompt in prompts:
        image = model(tokenizer(prompt))
        print(image.mean().item())  # frequency: every step


def learned_in_parts(model, optimizer, x, part):
    for at in range(0, len(x), part):
        learn(model, optimizer, x[at : at + part])


def learn(model, optimizer, x):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())  # frequency: every step


def validated_with_state(model, loader_valid, state):
    with torch.no_grad():
        for batch in loader_valid:
            state = model(batch, state)
            state.sum().item()  # frequency: evaluation
