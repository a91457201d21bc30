"""Loggers of training frameworks: what they do with the numbers and tensors they are given.

Sources: Lightning 2.6.6 `core/module.py` (`log` turns a number into a tensor on the module's device) and
`trainer/connectors/logger_connector/result.py` (a progress-bar metric is read with `.item()` at each refresh);
Transformers 5 `trainer.py` (`logging_nan_inf_filter` checks for NaN and infinity every step).
"""

from __future__ import annotations

LIGHTNING_LOGS = frozenset(("lightning.log", "lightning.log_dict"))
"""`self.log` and `self.log_dict` of a LightningModule."""

READERS = frozenset(("wandb.log",))
"""Functions that read the tensors they are given to the host."""

TRAINING_ARGUMENTS = frozenset(("TrainingArguments", "Seq2SeqTrainingArguments"))
"""Classes of Transformers whose `logging_nan_inf_filter` is true by default."""

NAN_FILTER = ("transformers/trainer.py", "isnan(")
"""Where the Trainer checks whether the loss is NaN: a file, and what is on the line. Source: Transformers 5.24."""

WRITTEN = {"add_scalar": "scalar_value", "add_scalars": "tag_scalar_dict", "add_histogram": "values"}
"""Methods of TensorBoard's SummaryWriter, and the parameter whose value they copy to the host.

Source: torch 2.13 `torch/utils/tensorboard/writer.py`.
"""

SHOWN = ("set_postfix", "set_postfix_str")
"""Methods of a tqdm progress bar that format their arguments; `refresh` is not one of those shown.

Source: tqdm 4.67 `std.py`.
"""

LOG_METHODS = frozenset(("info", "warning", "warn", "error", "critical", "exception", "log"))
"""Methods of a logger, and functions of `logging`, that format their arguments unless their level is disabled.

`debug` is omitted because its level is usually disabled. Source: Python 3.13 `logging`.
"""
