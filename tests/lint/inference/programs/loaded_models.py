"""Models, and pipelines of them, that a library loads: calling one computes, and what configures it holds no tensors."""

import elsewhere
import torch
from elsewhere import Pipeline


def build(path, x):
    pipe = Pipeline.from_pretrained(path).to("cuda")  # reveal: instance of a model that something unknown has made on gpu
    count = pipe.scheduler.config.count  # reveal: Unknown
    part = pipe.encoder.eval()  # reveal: instance of a model that something unknown has made on gpu
    place = pipe.encoder.device  # reveal: device gpu
    bias = pipe.head.bias  # reveal: Tensor[gpu, rank≥1]
    hidden = pipe.encoder(x).last  # reveal: Batch[gpu]
    drawn = pipe.decode(hidden)  # reveal: Batch[gpu]
    if pipe.steps * 2 > 3:  # operation: none
        return part, count, place, bias
    return drawn


def of_the_model(name):
    model = elsewhere.load_model(name).half().cuda()  # reveal: instance of a model that something unknown has made on gpu
    return [p.sum() for p in model.parameters()]  # reveal: list[Tensor[gpu, int|float|complex, rank 0], …]


def configured(batch):
    moved = elsewhere.prepare(batch).cuda()
    steps = moved.config.steps  # reveal: object
    return moved.images, steps  # reveal: tuple[Batch[gpu], object]
