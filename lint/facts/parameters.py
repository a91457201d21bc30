"""Parameters of classes and functions that have no signature in `signatures`, in the order in which they stand.

Sources: torch 2.13 `torch/nn/modules/`, `torch/nn/utils/`, `torch/autograd/`, `torch/amp/grad_scaler.py`,
`torch/optim/swa_utils.py`, `torch/testing/_comparison.py`, `torch/utils/tensorboard/writer.py`; torchvision 0.29
`utils.py`; apex `amp/handle.py`.
"""

from __future__ import annotations

PARAMETERS: dict[str, tuple[str, ...]] = {
    "BatchNorm1d": ("num_features", "eps", "momentum", "affine", "track_running_stats"),
    "BatchNorm2d": ("num_features", "eps", "momentum", "affine", "track_running_stats"),
    "BatchNorm3d": ("num_features", "eps", "momentum", "affine", "track_running_stats"),
    "LazyBatchNorm1d": ("eps", "momentum", "affine", "track_running_stats"),
    "LazyBatchNorm2d": ("eps", "momentum", "affine", "track_running_stats"),
    "LazyBatchNorm3d": ("eps", "momentum", "affine", "track_running_stats"),
    "CrossEntropyLoss": ("weight", "size_average", "ignore_index", "reduce", "reduction", "label_smoothing"),
    "cond": ("A", "p"),
    "pack_sequence": ("sequences", "enforce_sorted"),
    "detect_anomaly": ("check_nan",),
    "set_detect_anomaly": ("mode", "check_nan"),
    "DataParallel": ("module", "device_ids", "output_device", "dim"),
    "data_parallel": ("module", "inputs", "device_ids"),
    "AveragedModel": ("model", "device"),
    "GradScaler": ("device", "init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled"),
    "clip_grad_norm_": ("parameters", "max_norm", "norm_type", "error_if_nonfinite"),
    "get_total_norm": ("tensors", "norm_type", "error_if_nonfinite"),
    "assert_close": ("actual", "expected"),
    "scale_loss": ("loss", "optimizers"),
    "make_grid": ("tensor", "nrow", "padding", "normalize", "value_range", "scale_each", "pad_value"),
    "add_scalar": ("tag", "scalar_value"),
    "add_scalars": ("main_tag", "tag_scalar_dict"),
    "add_histogram": ("tag", "values"),
}
"""Last name of a class or function -> its parameters, at least the first ones."""
