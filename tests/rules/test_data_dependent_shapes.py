"""SYNC2xx: what each rule reports, and what it must not; the names in the snippets are those of `conftest.LOOP`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Confidence, Finding, Severity

Waits = Callable[..., list[Finding]]

REPORTS: dict[str, tuple[str, ...]] = {
    "SYNC201": (
        "torch.nonzero(mask)",
        "mask.nonzero()",
        "mask.nonzero(as_tuple=True)",
        "torch.argwhere(mask)",
        "torch.where(mask)",
        "torch.where(condition=mask)",
        "rows, columns = torch.where(x > 0)",
        "on_gpu.nonzero()",
    ),
    "SYNC202": (
        "torch.unique(x)",
        "x.unique(return_counts=True)",
        "torch.unique(x, dim=0)",
        "torch.unique_consecutive(ids)",
        "ids.unique_consecutive(dim=0)",
    ),
    "SYNC203": (
        "y = place_of(x) if count else x; y[mask]",
        "x[mask]",
        "x[~mask & (x < 1)]",
        "x[:, mask[0]]",
        "x[mask[:, 0], 0]",
        "x[x > 0].mean()",
        "x[scalar > 0]",
        "x[mask.unsqueeze(1).squeeze(1)]",
        "x[mask.repeat(1, 1)]",
        "x[mask.max(dim=1).values]",
        "x[mask.byte()]",
        "torch.masked_select(x, mask)",
        "x.masked_select(mask)",
        "on_gpu[on_gpu > 0]",
        "dataset.weights(x)[mask]",
        "def of(t, kind=None):\n    return t[kind == 1]\nof(x)\nof(x, dataset.kinds(x)[:4].sum(dim=0))",
    ),
    "SYNC204": (
        "x[mask] = x.flatten()",
        "x[mask] = scalar",
        "x[mask] = x.mean() if flag else 0",
        "x[mask] = x.mean()",
        "x[mask] += 1.0",
        "x[mask] *= scalar",
        "scalar[scalar > 0] = 0.0",
        "x.index_put_((mask,), x[:, 0])",
        "torch.index_put(x, (mask,), x[:, 0])",
        "x[mask[:, 0], ids] = 0.0",
        "x.masked_fill(mask, scalar)",
        "x.masked_fill_(mask, value=scalar)",
        "torch.masked_fill(x, mask, scalar)",
        "x[mask] = on_gpu",
    ),
    "SYNC205": (
        "torch.repeat_interleave(x, ids, dim=0)",
        "x.repeat_interleave(ids, dim=0)",
        "x.repeat_interleave(repeats=ids)",
        "torch.repeat_interleave(ids)",
        "torch.repeat_interleave(x, ids, output_size=None)",
        "torch.repeat_interleave(x, ids, output_size=28 if count else None)",
    ),
    "SYNC206": (
        "torch.bincount(ids)",
        "ids.bincount(minlength=10)",
        "torch.bincount(ids, weights=x[:, 0], minlength=10)",
        "torch.histc(x)",
        "torch.histc(x, bins=10)",
        "x.histc(10)",
    ),
    "SYNC207": (
        "F.one_hot(ids)",
        "F.one_hot(ids, -1)",
        "F.one_hot(ids, num_classes=-1)",
        "torch.nn.functional.one_hot(ids).float()",
    ),
    "SYNC208": (
        "torch.searchsorted(x[0], x[1], sorter=ids)",
        "torch.matrix_exp(x)",
        "torch.linalg.matrix_exp(x)",
        "torch.normal(x, x.abs())",
        "torch.normal(0.0, x.abs())",
        "torch.normal(mean=x, std=x)",
        "torch.distributions.Normal(x, x, validate_args=False).sample()",
        "torch.distributions.LogNormal(loc=x, scale=x, validate_args=False).sample()",
        "torch.combinations(ids)",
        "torch.sparse_coo_tensor(ids[None], x[:, 0])",
        "torch.sparse_coo_tensor(ids[None], x[:, 0], (8,)).coalesce()",
        "torch.cov(x)",
        "x.corrcoef()",
        "torch.istft(x, 4)",
        "torchvision.ops.nms(x, x[:, 0], 0.5)",
        "torchvision.ops.batched_nms(x, x[:, 0], ids, 0.5)",
        "torchvision.ops.boxes.remove_small_boxes(x, 1.0)",
        "torchvision.utils.make_grid(x, normalize=True)",
        "torchvision.utils.make_grid([x, x], normalize=True)",
        "torchvision.utils.make_grid(x, 8, 2, True)",
        "dist.all_gather_object(numbers, text)",
        "torch.distributed.broadcast_object_list(numbers)",
        "torch.nested.nested_tensor_from_jagged(x, ids)",
    ),
    "SYNC209": (
        "x[[0, 1]]",
        "x[[place_of(batch), 1]]",
        "x[:, [0, 1]]",
        "x[:, (0, 1)]",
        "x[(0, 1), (0, 1)] = x[0, :2]",
        "x[[True, False]]",
        "x[host_ids]",
        "x[torch.tensor([0, 2])]",
        "x[torch.randperm(8)]",
        "x[range(3)]",
        "x[:, range(3), 1]",
        "x[range(2), range(2)] = x[0, :2]",
        'x[batch["ids"].tolist()]',
        "x[array]",
        "x[array[1:3]]",
        "x[np.ix_(numbers, numbers)]",
        "x[np.triu_indices(3)] = x[0]",
        "where = np.nonzero(array)\nx[where] = 0.0",
        "x[torch.from_numpy(array)]",
        "x[torch.as_tensor(array)]",
        "x[host_ids] = 1.0",
        "x[[0, 1]] = 1.0",
        "x[[0, 1]] = x[2:4]",
        "x[[0, 1]] += 1.0",
        "x[ids] = 1.0",
        "x[ids, 0] = 0",
        "x[ids] = torch.tensor(1.0)",
        "at = (host_ids, 0); x[at]",
        "def select(y):\n    y = y.cuda()\n    y.size(0)\n    y[host_ids]",
        "def both(i):\n    return i, 0\nx[both(host_ids)]",
    ),
}

SILENT: dict[str, tuple[str, ...]] = {
    "SYNC201": (
        "torch.where(mask, x, 0.0)",
        "torch.where(mask, 1.0, 0.0)",
        "x.where(mask, scalar)",
        "torch.count_nonzero(x)",
        "torch.nonzero_static(x, size=4)",
        "np.nonzero(array)",
        "np.where(array > 0)",
        "array.nonzero()",
        "host.nonzero()",
        "torch.where(host_mask)",
    ),
    "SYNC202": ("np.unique(array)", "torch.unique(host)", "host_ids.unique()", "set(numbers)", "x.sort().values"),
    "SYNC203": (
        "host[host_mask]",
        "x[ids]",
        "x[0]",
        "x[1:, 0]",
        "x[:, None]",
        "x[mask.long()]",
        "x[mask.sum(dim=1)]",
        "x[...]",
        "x[True]",
        "array[array > 0]",
        "x.index_select(0, ids)",
        "x.gather(0, ids[:, None])",
        "torch.where(mask, x, 0.0).sum() / mask.sum()",
        "numbers[0]",
        "torch.masked_select(host, host_mask)",
    ),
    "SYNC204": (
        "x[mask] = 0",
        "x[mask] = 1.0 if flag else 0",
        "x.index_put_((mask,), torch.tensor(1.0))",
        "x.index_put_((ids,), x)",
        "x[mask] = -1.0",
        "x[mask] = float('inf')",
        "x[:, mask[0]] = 0.0",
        "x[mask[:, 0], 0] = 0.0",
        "x[mask] = torch.tensor(1.0)",
        "x.masked_fill(mask, 0.0)",
        "x.masked_fill_(mask, float('-inf'))",
        "x.masked_fill(mask, host_scalar)",
        "x.masked_scatter(mask, x)",
        "host[host_mask] = host_scalar",
        "host[host_mask] += 1",
        "array[array > 0] = 1",
        "x[1:] = x[:-1]",
        "x[ids] = x",
    ),
    "SYNC205": (
        "x.repeat_interleave(2, dim=0)",
        "torch.repeat_interleave(x, 2)",
        "torch.repeat_interleave(x, count, dim=0)",
        "x.repeat_interleave(ids, dim=0, output_size=28)",
        "torch.repeat_interleave(ids, output_size=28)",
        "host.repeat_interleave(host_ids, dim=0)",
        "host.repeat_interleave(unknown().long(), dim=0)",
        "torch.repeat_interleave(torch.arange(3), unknown().long())",
        "x.repeat(2, 1)",
    ),
    "SYNC206": (
        "torch.histc(x, bins=10, min=0, max=1)",
        "x.histc(10, 0, 1)",
        "np.bincount(numbers)",
        "torch.bincount(host_ids)",
        "torch.zeros(10, device='cuda').scatter_add_(0, ids, x[:, 0])",
    ),
    "SYNC207": (
        "F.one_hot(ids, num_classes=10)",
        "F.one_hot(ids, 10)",
        "F.one_hot(ids, count)",
        "F.one_hot(ids, dataset.classes)",
        "F.one_hot(host_ids)",
    ),
    "SYNC208": (
        "torch.searchsorted(x[0], x[1])",
        "torch.bucketize(x, x[0])",
        "torch.isin(x, 3)",
        "torch.isin(x, ids, assume_unique=True)",
        "torch.normal(0.0, 1.0, (3,), device='cuda')",
        "torch.normal(x, 1.0)",
        "torch.distributions.Normal(x, x, False).rsample()",
        "torch.sparse_coo_tensor(ids[None], x[:, 0], (8,))",
        "torch.cov(host)",
        "torch.stft(x[0], 4, return_complex=True)",
        "torch.multinomial(x, 2)",
        "x.quantile(0.5)",
        "x.sort()",
        "x.topk(2)",
        "torchvision.ops.box_iou(x, x)",
        "torchvision.utils.make_grid(x)",
        "torchvision.utils.make_grid(x, normalize=True, value_range=(-1, 1))",
        "dist.all_reduce(x)",
        "torch.nested.nested_tensor_from_jagged(x, ids, min_seqlen=1, max_seqlen=3)",
        "np.cov(array)",
    ),
    "SYNC209": (
        "x[:2]",
        "x[[slice(None), mask.sum()]]",
        "x[0, 1]",
        "x[ids]",
        "x[(0, 1)]",
        "x[((0, 1))]",
        "pair = (0, 1)\nx[pair]",
        "x[tuple(int(each) for each in numbers)]",
        "x[host_ids[0]]",
        "x[array[0]]",
        "x[np.argmax(array)]",
        "x[array.argmax()]",
        "x[np.random.randint(8)]",
        "for i in array: x[i]",
        "host[[0, 1]]",
        "host[range(2)]",
        "[1, 2, 3][range(2)[0]]",
        "host[host_ids]",
        "array[[0, 1]]",
        "x[ids] = x",
        "x[ids] += 1.0",
        "x[:2] = 1.0",
        "x[...] = 0.0",
        "x[0] = 1.0",
        "x[0:1] = 2.0",
        "numbers[0] = 1",
        "x.index_fill_(0, ids, 1.0)",
    ),
}

BOUNDARIES = [
    ("torchvision.ops.masks_to_boxes(mask)", "SYNC208", "2.11"),
    ("x[host_mask]", "SYNC203", "2.9"),
    ("x[host_mask] = x[:, 0]", "SYNC204", "2.9"),
    ("x[host_mask] = 1.0", "SYNC204", "2.15"),
    ("torch.combinations(ids)", "SYNC208", "2.14"),
    ("torch.normal(x, x)", "SYNC208", "2.14"),
    ("torch.distributions.Normal(x, x, validate_args=False).sample()", "SYNC208", "2.14"),
    ("x[ids] = 1.0", "SYNC209", "2.15"),
]


@pytest.mark.parametrize(("code", "snippet"), [(code, each) for code, table in REPORTS.items() for each in table])
def test_reports(waits: Waits, code: str, snippet: str) -> None:
    found = waits(snippet)
    assert [finding.code for finding in found] == [code]
    assert found[0].severity in (Severity.ERROR, Severity.WARNING)


@pytest.mark.parametrize("snippet", [each for table in SILENT.values() for each in table])
def test_is_silent(waits: Waits, snippet: str) -> None:
    assert not [f"{finding.code} {finding.message}" for finding in waits(snippet)]


@pytest.mark.parametrize(("snippet", "code", "until"), BOUNDARIES)
def test_versions(waits: Waits, snippet: str, code: str, until: str) -> None:
    assert [finding.code for finding in waits(snippet, torch=f"<{until}")] == [code]
    assert not waits(snippet, torch=f">={until}")


@pytest.mark.parametrize("snippet", ["torch.isin(x, ids)", "torch.isin(x, torch.arange(99, device='cuda'))"])
def test_isin_is_a_note(waits: Waits, snippet: str) -> None:
    assert not waits(snippet)
    assert [finding.code for finding in waits(snippet, Severity.NOTE)] == ["SYNC208"]


@pytest.mark.parametrize("call", ["nonzero()", "unique()"])
def test_a_name_alone_is_possible_at_most(waits: Waits, call: str) -> None:
    assert not waits(f"dataset.thing().{call}")
    (finding,) = waits(f"dataset.thing().{call}", Severity.NOTE, min_confidence=Confidence.POSSIBLE)
    assert finding.confidence is Confidence.POSSIBLE


@pytest.mark.parametrize("call", ["sample()", "nms(text)"])
def test_common_names_alone_are_nothing(waits: Waits, call: str) -> None:
    assert not waits(f"dataset.thing().{call}", Severity.NOTE, min_confidence=Confidence.POSSIBLE)


def test_a_mask_of_both_sides_waits_twice(waits: Waits) -> None:
    assert sorted(finding.code for finding in waits("x[mask] = x[mask] * 2")) == ["SYNC203", "SYNC204"]


def test_saving_an_image_also_reads_its_range(waits: Waits) -> None:
    call = "torchvision.utils.save_image(x, text, normalize=True"
    assert sorted(finding.code for finding in waits(f"{call})")) == ["SYNC103", "SYNC208"]
    assert [finding.code for finding in waits(f"{call}, value_range=(-1, 1))")] == ["SYNC103"]
