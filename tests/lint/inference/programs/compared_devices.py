"""Devices that are compared with texts: a torch.device equals none."""

import argparse
import os

import torch

device = torch.device("cuda")
device == "cuda"  # reveal: bool False
device != "cuda"  # reveal: bool True
"cuda" == device  # reveal: bool False
device == torch.device("cuda")  # reveal: bool
device is None  # reveal: bool
device == None  # reveal: bool False
device.type == "cuda"  # reveal: bool True
device.type != "cpu"  # reveal: bool True
device in ("cuda", "cpu")  # reveal: bool False
device not in ["cuda"]  # reveal: bool True
str(device) == "cuda"  # reveal: bool
chosen = torch.device("cuda" if torch.cuda.is_available() else "cpu")
chosen == "cuda"  # reveal: bool False
chosen.type == "cuda"  # reveal: bool True
host = torch.device("cpu")
host == "cpu"  # reveal: bool False
host.type == "cuda"  # reveal: bool False
host.type == "cpu"  # reveal: bool True
named = "cuda" if torch.cuda.is_available() else "cpu"
named == "cuda"  # reveal: bool True
either = torch.device("cuda") if os.environ.get("OBJECT") else "cuda"
either == "cuda"  # reveal: bool
torch.ones(3).device == "cpu"  # reveal: bool False
f"cuda:{os.getpid()}" == "cuda"  # reveal: bool


def asks(device="cuda"):
    return device == "cuda"


def asks_type(device):
    return device.type == "cuda"


asks()  # reveal: bool True
asks("cuda")  # reveal: bool True
asks("cpu")  # reveal: bool False
asks(torch.device("cuda"))  # reveal: bool False
asks(device=chosen)  # reveal: bool False
asks_type(chosen)  # reveal: bool True
asks_type(host)  # reveal: bool False


def given_an_object(device="cuda"):
    device == "cuda"  # reveal: bool False


def given_a_text(device=None):
    device == "cuda"  # reveal: bool True


def given_either(device="cuda"):
    device == "cuda"  # reveal: bool


def given_by_default(device="cuda"):
    device == "cuda"  # reveal: bool True


given_an_object(device)
given_a_text("cuda")
given_either(device)
given_either("cuda")
given_by_default()


class Holder:
    def __init__(self, device="cuda"):
        self.device = device
        self.fast = device == "cuda"
        self.also_fast = self.device == "cuda"

    def use(self):
        self.fast  # reveal: bool False
        self.also_fast  # reveal: bool False
        self.device == "cuda"  # reveal: bool False


Holder(device).use()


def declared(device: torch.device):
    device == "cuda"  # reveal: bool


def from_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    options.device == "cuda"  # reveal: bool
