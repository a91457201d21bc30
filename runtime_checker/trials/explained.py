"""Differences between facts and torch's CUDA code that have a reason, and rows that have no trial.

A test runs them: what differs no longer has no place here.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from ..simulated.waits import version_of


@dataclass(frozen=True, slots=True)
class Explained:
    """Why trials differ: with torch `since` a version and before another, and in calls that contain `where`."""

    why: str
    where: str = ""
    since: str = ""
    until: str = ""


# https://github.com/pytorch/pytorch/issues/167562
_NO_LIST: Final = Explained("one tensor for a list of numbers is taken for an empty list, unread", until="2.10")

EXPLAINED: Final[dict[str, Explained]] = {
    "torch ldl_factor_ex": Explained("cuSOLVER waits inside, which only a GPU tells"),
    "torch barrier": Explained("NCCL itself waits, once, while it sets up the group; a group of one may wait no more"),
    "torch nested_tensor_from_jagged": Explained("reads the longest sequence when it is first needed"),
    "torch isin": Explained("sorts and counts once in spite of `assume_unique`", where="assume_unique", until="2.15"),
    # https://github.com/pytorch/pytorch/pull/174769
    "distribution Wishart": Explained("MAGMA solves the batch, and waits", where="log_prob", until="2.12"),
    "signature *(dim)": _NO_LIST,
    "signature *(dims)": _NO_LIST,
    "signature *(stride)": _NO_LIST,
    "signature torch.fft.*(s)": _NO_LIST,
    "signature torch.gradient(spacing)": Explained("takes a number or tensors; one tensor is read for a number"),
}
"""Name of a trial, or a pattern for several -> why it differs."""


def reason(name: str, variant: str) -> str:
    """Return why a trial differs with the installed torch; nothing if there is no reason."""
    return next((row.why for pattern, row in EXPLAINED.items() if _applies(pattern, row, name, variant)), "")


def _applies(pattern: str, row: Explained, name: str, variant: str) -> bool:
    import torch

    version = version_of(torch.__version__)
    after = not row.since or version >= version_of(row.since)
    before = not row.until or version < version_of(row.until)
    return after and before and row.where in variant and fnmatchcase(name, pattern)


NO_TRIAL: Final[dict[str, str]] = {
    "torch send_object_list": "wants two processes",
    "torch recv_object_list": "wants two processes",
    "nn SyncBatchNorm": "wants two processes",
    "nn convert_sync_batchnorm": "wants two processes",
    "nn DataParallel": "wants two GPUs",
    "nn data_parallel": "wants two GPUs",
    "nn set_default_validate_args": "switches the checks off that the trials of distributions try",
}
"""Beginning of a row's name -> why it has no trial."""

COUNTED_OTHERWISE: Final[dict[str, str]] = {
    "matrix_exp": "how many batches of matrices there are follows from their norms",
    "orthogonal(": "is made of `matrix_exp`",
    "CTCLoss": "copies lengths and targets according to the kernel that is chosen",
    "ctc_loss": "copies lengths and targets according to the kernel that is chosen",
    "u[0] = h; backward": "gradients that go back to the host are modelled for `to`, `cuda` and `cpu` only",
    "v.copy_(h); backward": "gradients that go back to the host are modelled for `to`, `cuda` and `cpu` only",
    "unpack(it": "reading the order of sequences is counted twice",
    "unpack_sequence(": "lengths that torch keeps on the host are taken to be on the device",
    "sparse.mm(e.to_sparse(), u)": "the gradients of sparse tensors are not modelled",
    "_dim=one": "the parts of sparse tensors are not modelled one by one",
    "to_sparse_bs": "the parts of sparse tensors are not modelled one by one",
    "mode(torch.zeros(5000": "a slice too long for one kernel is sorted by a library, whose waits are told as one",
    "combinations(v, r=": "a tensor for `r` is read, and its pairs are counted all the same",
    "repr(v)": "torch prints with all modes off, so that only the first look is seen",
    "str(s)": "torch prints with all modes off, so that only the first look is seen",
}
"""Part of a program -> why the simulated device counts its waits otherwise than torch's CUDA code does."""
