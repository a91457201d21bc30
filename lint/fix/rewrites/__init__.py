"""The rewritings, by the names under which rules offer them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ...offers import Edit
from ..place import Place
from . import (
    arguments,
    conditions,
    counts,
    creation,
    gathered,
    indexing,
    linalg,
    loops,
    losses,
    made,
    masks,
    metrics,
    reads,
    selections,
)

Rewriting: TypeAlias = Callable[[Place], "list[Edit] | None"]
"""Returns the edits that do what was offered at a place; None if that cannot be done, or not be proved right."""

REWRITINGS: dict[str, Rewriting] = {
    "keyword": arguments.with_keyword,
    "asynchronous-copy": arguments.asynchronous_copy,
    "pinned-loader": arguments.pinned_loader,
    "number-as-full": creation.number_as_full,
    "moved-number-as-full": creation.moved_number_as_full,
    "equal-numbers-as-full": creation.equal_numbers_as_full,
    "listed-tensors-as-stack": gathered.listed_as_stack,
    "repeated-tensor-as-expand": gathered.repeated_as_expand,
    "filled-by-tensor": gathered.filled_by_tensor,
    "copied-when-built": creation.copied_when_built,
    "created-on-device": creation.created_on_device,
    "created-inside": creation.created_inside,
    "created-beside": creation.created_beside,
    "number-beside-tensor": creation.number_beside_tensor,
    "masked-reduction-as-where": selections.reduced_as_where,
    "masked-update-as-where": selections.update_as_where,
    "mask-positions-once": masks.positions_once,
    "masked-copy-as-where": masks.copy_as_where,
    "positions-as-mask": masks.positions_as_mask,
    "fused-optimizer": made.fused_optimizer,
    "capturable-optimizer": made.capturable_optimizer,
    "causal-mask": made.causal_mask,
    "mask-as-given": made.mask_as_given,
    "positions-as-count": counts.positions_as_count,
    "ignored-by-loss": losses.ignored_by_loss,
    "distinct-by-sorting": counts.distinct_by_sorting,
    "listed-elements-as-stack": indexing.listed_as_stack,
    "element-as-fill": indexing.element_as_fill,
    "written-as-full": indexing.written_as_full,
    "sorted-boundaries": indexing.sorted_boundaries,
    "elements-as-list": loops.elements_as_list,
    "items-as-list": loops.items_as_list,
    "items-at-once": reads.items_at_once,
    "element-as-row": indexing.element_as_row,
    "classes-by-scattering": counts.classes_by_scattering,
    "not-finite": conditions.not_finite,
    "conditions-at-once": conditions.conditions_at_once,
    "filled-without-asking": conditions.filled_without_asking,
    "asynchronous-refusal": conditions.asynchronous_refusal,
    "asynchronous-assertion": conditions.asynchronous_assertion,
    "unchecked-routine": linalg.unchecked,
    "update-only": metrics.update_only,
    "weight-like-value": metrics.weight_like_value,
    "number-as-tensor": metrics.number_as_tensor,
    "logged-number-as-full": metrics.logged_as_full,
    "detached": reads.detached,
    "blocking-copy-to-host": reads.blocking_copy,
}
