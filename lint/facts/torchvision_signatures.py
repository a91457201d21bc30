"""How torchvision's operators are called and what they return, in rows like those of `torch_signatures`.

Source: torchvision 0.29 `torchvision/ops`, `torchvision/utils.py`. Models and transforms are not included.
"""

from __future__ import annotations

_OPERATORS: dict[str, str] = {
    "batched_nms": "tensor args int64 1+ | boxes:t scores:t idxs:t iou_threshold:f",
    "box_area": "tensor args same 1+ | boxes:t fmt:x?",
    "box_convert": "tensor args same 1+ | boxes:t in_fmt:x out_fmt:x",
    "box_iou": "tensor args float 1+ | boxes1:t boxes2:t fmt:x?",
    "clip_boxes_to_image": "tensor args same 1+ | boxes:t size:i",
    "complete_box_iou": "tensor args float 1+ | boxes1:t boxes2:t eps:f?",
    "deform_conv2d": "tensor args same 1+ | input:t offset:t weight:t bias:t? stride:i? padding:i? dilation:i? mask:t?",
    "distance_box_iou": "tensor args float 1+ | boxes1:t boxes2:t eps:f?",
    "generalized_box_iou": "tensor args float 1+ | boxes1:t boxes2:t",
    "generalized_box_iou_loss": "tensor args float any | boxes1:t boxes2:t reduction:x? eps:f?",
    "masks_to_boxes": "tensor args float 1+ | masks:t",
    "nms": "tensor args int64 1+ | boxes:t scores:t iou_threshold:f",
    "remove_small_boxes": "tensor args int64 1+ | boxes:t min_size:f",
    "roi_align": "tensor args same 1+ | input:t boxes:tT output_size:i spatial_scale:f? sampling_ratio:i? aligned:b?",
    "roi_pool": "tensor args same 1+ | input:t boxes:tT output_size:i spatial_scale:f?",
    "sigmoid_focal_loss": "tensor args float any | inputs:t targets:t alpha:f? gamma:f? reduction:x?",
}

_IMAGES: dict[str, str] = {
    "make_grid": "tensor args same 1+ | tensor:tT nrow:i? padding:i? normalize:b? value_range:x? scale_each:b?",
    "save_image": "none - - - | tensor:tT fp:x format:x? normalize:b? value_range:x?",
}

ROWS: dict[str, str] = {
    **{f"torchvision.utils.{name}": row for name, row in _IMAGES.items()},
    **{
        f"{module}.{name}": row
        for module in ("torchvision.ops", "torchvision.ops.boxes")
        for name, row in _OPERATORS.items()
    },
}
"""Full name -> row."""
