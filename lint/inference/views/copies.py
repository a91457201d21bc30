"""Copies to the device, and the tensors that numbers and lists are copied as, in the terms of rules."""

from ..library.objects import as_tensor
from ..linking.lives.transfers import Transfer, sureness, to_device

__all__ = ["Transfer", "as_tensor", "sureness", "to_device"]
