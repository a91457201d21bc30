"""Parameters without annotations whose docstring says what they are."""

import collections

import torch
from events import Event


class Meter:
    def update(self, loss):
        loss  # reveal: Tensor[gpu, float, rank 1]


def google(x, y, z, mask=None, scale=1.0):
    """Do something.

    Args:
        x (torch.Tensor): the input
        y (:class:`torch.LongTensor` of shape `(batch, time)`, *optional*): labels
        z (Tensor or float): either
        mask (Optional[Tensor]): not understood
        scale (float): a number
    """
    x  # reveal: Tensor[any device]
    y  # reveal: Tensor[any device]
    z  # reveal: Tensor[any device] | float
    mask  # reveal: Unknown
    scale  # reveal: float


def numpy_style(x, n):
    """Do something.

    Parameters
    ----------
    x : torch.Tensor
        the input
    n : int
        a number, not a Tensor
    """
    x  # reveal: Tensor[any device]
    n  # reveal: Unknown
    if x:  # operation: Truth
        pass


def sphinx(x, y):
    """Do something.

    :param torch.Tensor x: the input
    :param y: the other
    :type y: Tensor
    """
    x  # reveal: Tensor[any device]
    y  # reveal: Tensor[any device]


def annotated(x: int):
    """Trust the annotation.

    Args:
        x (Tensor): wrong
    """
    x  # reveal: int


def objects(meter, counter, meters, words, loss, event):
    """Update what measures.

    Args:
        meter (Meter): what measures
        counter (collections.Counter): what counts
        meters (Meter or None): not understood
        words (Something): no class
        event (Event): a class that is not there
    """
    meter.update(loss.cuda())
    meter  # reveal: instance of docstrings.Meter
    counter  # reveal: Unknown
    meters  # reveal: Unknown
    words  # reveal: Unknown
    event  # reveal: Tensor[cpu, float, rank 1]


objects(loss=torch.ones(2), event=torch.ones(3))


def object_in_numpy_style(meter):
    """Update what measures.

    Parameters
    ----------
    meter : Meter
        what measures
    """
    meter  # reveal: instance of docstrings.Meter
