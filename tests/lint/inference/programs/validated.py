"""Functions with a name of evaluation: those that only raise exceptions check what they are given, and no model."""

import torch


class Index(torch.Tensor):
    def validate(self):
        assert_contiguous(self)
        if self.numel() > 0 and self.min() < 0:  # frequency: every step (assumed)
            raise ValueError("negative")
        return self


def validate(lengths: torch.Tensor, limit):
    longest = limit - 1
    if limit is None:
        longest = 8
    elif lengths.max() > longest:  # frequency: every step (assumed)
        raise ValueError("too long")


class Trainer:
    def validate(self, lengths: torch.Tensor):
        if lengths.max() > 8:  # frequency: evaluation
            raise ValueError("too long")
        self.engine.run(self.loader)


def evaluate(runner, lengths: torch.Tensor):
    if lengths.max() > 8:  # frequency: evaluation
        raise ValueError("too long")
    result = runner(lengths)
    return result


def test(scores: torch.Tensor):
    if scores.max() > 8:  # frequency: evaluation
        return True
    return False
