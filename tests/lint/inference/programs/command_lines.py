"""Options of a command line: their types, defaults, and where they are used."""

import argparse
from argparse import ArgumentParser, BooleanOptionalAction

import torch


def add_model_options(parser):
    parser.add_argument("--hidden-size", type=int, default=64)


def get_args():
    parser = ArgumentParser(description="train")
    parser.add_argument("--n", type=int, default=5)
    parser.add_argument("--index", type=int)
    parser.add_argument("--lr", default=1e-3, type=float)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--name", "-m")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--compile", action=BooleanOptionalAction, default=True)
    parser.add_argument("--milestones", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--where", type=torch.device)
    parser.add_argument("-v", action="count", default=0)
    parser.add_argument("--tags", action="append", default=None)
    parser.add_argument("-b", "--batch-size", dest="size", type=int, required=True)
    parser.add_argument("path")
    parser.add_argument("--what", type=eval)
    group = parser.add_argument_group("optimizer")
    group.add_argument("--momentum", type=float, default=0.9)
    parser.add_subparsers().add_parser("test").add_argument("--rounds", type=int, default=3)
    add_model_options(parser)
    return parser.parse_args()


class Trainer:
    def __init__(self, args):
        self.args = args

    def step(self, x: torch.Tensor):
        self.args.n  # reveal: int
        return x[self.args.n]


def train(args) -> None:
    x = torch.ones(3, 4, 5, device="cuda")
    args.n  # reveal: int
    args.index  # reveal: int | None
    args.lr  # reveal: float
    args.scale  # reveal: float
    args.name  # reveal: str | None
    args.fast  # reveal: bool
    args.compile  # reveal: bool
    args.milestones  # reveal: list[int, …]
    args.device  # reveal: str
    args.v  # reveal: int
    args.tags  # reveal: list[str, …] | None
    args.size  # reveal: int
    args.path  # reveal: str
    args.what  # reveal: object | None
    args.momentum  # reveal: float
    args.rounds  # reveal: int
    args.hidden_size  # reveal: int
    args.unheard_of  # reveal: object
    a = x[args.n]  # reveal: Tensor[gpu, float]
    b = torch.zeros(args.size, args.n)  # reveal: Tensor[cpu, float, rank 2]
    c = b.to(args.device)  # reveal: Tensor[any device, float, rank 2]
    d = b.to(args.where)  # reveal: Tensor[any device, rank 2]
    e = b.to(args.unheard_of)  # reveal: Tensor[any device, rank 2]
    vars(args).get("device", "cpu")  # reveal: device any device


def train_with(options) -> None:
    options["device"]  # reveal: device any device
    options["unheard_of"]  # reveal: Unknown
    where = options.get("device", "cuda")
    torch.zeros(3).to(where)  # reveal: Tensor[any device, rank 1]


def main() -> None:
    args = get_args()
    train(args)
    train_with(vars(args))
    Trainer(args).step(torch.ones(3, device="cuda"))


parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=5)
args, rest = parser.parse_known_args()
args.steps  # reveal: int
rest  # reveal: list[str, …]
args.place = torch.device("cuda")


def moved(x: torch.Tensor):
    args.place  # reveal: device gpu
    return x.cpu().to(args.place)  # reveal: Tensor[gpu]
