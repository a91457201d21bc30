"""A loss, norm or layer of torch.nn internally reads, compares or masks tensors, and the host waits.

Set a number for the `momentum` of batch norms and `is_causal=` for transformers, sort sequences by decreasing length
before packing them, and write out the formula of such a loss. Make graph layers with `add_self_loops=False`.

`gaussian_nll_loss` checks whether a variance is negative, if it is a tensor. `cross_entropy` with a class `weight` and
`label_smoothing` selects by a mask, unless `reduction="sum"`. A transformer's mask is compared with a causal one unless
`is_causal` is set. `BatchNorm(momentum=None)` reads its batch counter in training, which is reported at the
constructor. `AdaptiveLogSoftmaxWithLoss` selects the rows of each cluster. Packing unsorted sequences copies their
order to the device, and `pad_packed_sequence` copies it back. `ctc_loss` copies its lengths, wherever they are, and
where each target begins: nothing keeps them on the device. `SyncBatchNorm` drops empty processes by a mask; there is no
alternative, so it is a note.

Layers of PyTorch Geometric look for edges from a node to itself by a mask in every forward (`GCNConv` unless `cached`,
`GATConv`), pool by masks (`TopKPooling`), or read how many graphs there are (`GraphNorm` without `batch_size=`).
"""

from __future__ import annotations

from ..lint.facts.graph_layers import LAYERS, SELF_LOOPS, Layer, layer_of
from ..lint.facts.hidden_checks import (
    CALLED,
    FUNCTIONS,
    MASKED,
    MASKS_SINCE,
    NORMS_WITH_COUNTER,
    PACKING,
    SYNCHRONISED_NORMS,
    UNPACKING,
    is_called,
)
from ..lint.finding import Confidence, Frequency, Level, Reason, Severity
from ..lint.offers import Offer
from ..lint.operations import (
    NONE,
    SPREAD,
    UNKNOWN,
    Batch,
    Call,
    Host,
    Instance,
    Sequence,
    Tensor,
    Value,
    argument_of,
    as_tensor,
    element,
    is_absent,
    is_floating,
    is_off,
    may_be_off,
    may_be_on,
    options_of,
)
from ..lint.rule import Report, rule

CALLS = (
    *(f"{cls}.__call__" for cls in (*CALLED, *LAYERS)),
    *FUNCTIONS,
    *PACKING,
    *UNPACKING,
    *SYNCHRONISED_NORMS,
    *NORMS_WITH_COUNTER,
)
UNSIZED = "a mask whose size differs from the sequence's is then treated as causal"
NO_LAYER = "The layer makes decisions on the host; use another, or one over graphs padded to one size."
SLOWER = "a mask that is causal no longer selects the kernel for such masks, whose last digits may differ"
EVERY_STEP = Frequency(Level.EVERY_STEP, (Reason("a layer is assumed to run every step"),), assumed=True)
MEAN = Host("str", "mean")
VARIANCE = "`{text}` checks for negative variances, and the host waits for the result"
LENGTHS = "`{text}` copies the lengths to the device, and reads those that are there, and the host waits"
AVERAGED = Offer(
    "keyword",
    "pass a number for the momentum",
    "the running statistics follow the last batches, and are no longer the mean over all of them",
    details=("momentum", "0.1"),
)
SELECTS = "`{text}` selects the class weights by a mask, and the host must wait for the count"


@rule("SYNC505", "module-hidden-wait", calls=CALLS)
def check(op: Call) -> Report | None:
    """Report a call that waits because of its arguments, or the constructor of a layer that will."""
    if (layer := layer_of(op.name.removesuffix(".__call__"))) is not None:
        return _layer(op, layer)
    if not op.name.startswith("torch.nn."):
        return None
    if op.last_name == "__call__" and is_called(op.name.removesuffix(".__call__")):
        return _called(op)
    if op.last_name in FUNCTIONS:
        return _function(op)
    if op.last_name in PACKING:
        return _packed(op)
    if op.last_name in UNPACKING:
        return _unpacked(op)
    if op.name in SYNCHRONISED_NORMS:
        message = f"`{op.text}` creates norms that drop empty processes by a mask every step, and the host waits"
        return op.finding(message, confidence=Confidence.LIKELY, frequency=EVERY_STEP, cap=Severity.NOTE)
    return _norm(op)


def _layer(op: Call, layer: Layer) -> Report | None:
    """Report a layer of graphs, unless it was made or is called so that it does not wait."""
    modules = [each for each in options_of(op.receiver or UNKNOWN) if isinstance(each, Instance)]
    if not modules or any(_is_spared(each) for each in modules):
        return None
    at = len(layer.forward)
    if layer.given and (len(op.positional) > at or any(op.given(name) for name in layer.given)):
        return None
    read = _at(op, layer.reads, at - 1)
    return op.finding(
        f"`{op.text}` {layer.because}, and the host waits", as_tensor(read or UNKNOWN), instead=_instead(layer)
    )


def _is_spared(module: Instance) -> bool:
    """Whether a module is no layer that waits, or may have been made so that it does not."""
    layer = layer_of(module.cls)
    if layer is None or module.argument(SPREAD) is not None:
        return True
    return any((may_be_on if on else may_be_off)(_given_to(module, layer, name)) for name, on in layer.spared)


def _given_to(module: Instance, layer: Layer, name: str) -> Value | None:
    """Return the argument with that name that a layer was made with; None if it was not passed."""
    at = str(layer.made.index(name)) if name in layer.made else name
    return module.argument(name) or module.argument(at)


def _instead(layer: Layer) -> str:
    if layer.because == SELF_LOOPS and layer.spared:
        return "Add the self loops to the graph once (`AddSelfLoops`), and make the layer with `add_self_loops=False`."
    return f"Pass `{layer.given[-1]}=`, a number that the program knows." if layer.given else NO_LAYER


def _packed(op: Call) -> Report | None:
    if not is_off(op.argument("enforce_sorted")):
        return None
    message = f"`{op.text}` copies the order of the sequences to the device, and the host waits for the copy"
    return op.finding(message, as_tensor(op.subject), as_tensor(element(op.subject)))


def _unpacked(op: Call) -> Report | None:
    """Report what puts sequences back in an order that is kept on the device."""
    match op.subject:
        case Sequence(items=(_, _, _, Tensor() as order)):
            message = f"`{op.text}` copies the order of the sequences to the host, which waits for the device"
            return op.finding(message, order)
    return None


def _function(op: Call) -> Report | None:
    if op.last_name == "ctc_loss":
        return op.finding(LENGTHS.format(text=op.text), as_tensor(op.argument("log_probs") or UNKNOWN))
    if op.last_name == "gaussian_nll_loss":
        return op.finding(VARIANCE.format(text=op.text), as_tensor(op.argument("var") or UNKNOWN))
    given = {name: op.argument(name) for name in ("weight", "label_smoothing", "reduction")}
    return _weighted(op, given, op.argument("input"), op.argument("target"))


def _called(op: Call) -> Report | None:
    module = next((each for each in options_of(op.receiver or UNKNOWN) if isinstance(each, Instance)), None)
    if module is None:
        return None
    match op.name.split(".")[-2]:
        case "GaussianNLLLoss":
            variance = op.keyword("var") or (op.positional[2] if len(op.positional) > 2 else UNKNOWN)
            return op.finding(VARIANCE.format(text=op.text), as_tensor(variance))
        case "CrossEntropyLoss":
            given = {name: argument_of(module, name) for name in ("weight", "label_smoothing", "reduction")}
            return _weighted(op, given, *(*op.positional[:2], None, None)[:2])
        case "CTCLoss":
            return op.finding(LENGTHS.format(text=op.text), as_tensor(_at(op, "log_probs", 0) or UNKNOWN))
        case "AdaptiveLogSoftmaxWithLoss":
            message = f"`{op.text}` selects the rows of each cluster, and the host must wait for the count"
            return op.finding(message, *map(as_tensor, op.positional))
        case name:
            return _masked(op, name)


def _weighted(op: Call, given: dict[str, Value | None], scores: Value | None, target: Value | None) -> Report | None:
    """Report a weighted, smoothed and averaged cross entropy with integer targets."""
    smoothing = given["label_smoothing"]
    smooth = isinstance(smoothing, Host) and isinstance(smoothing.constant, float) and smoothing.constant > 0
    weighted = isinstance(given["weight"], Tensor | Batch)
    averaged = is_absent(given["reduction"]) or given["reduction"] == MEAN
    if not (smooth and weighted and averaged) or (target is not None and is_floating(target)):
        return None
    return op.finding(SELECTS.format(text=op.text), as_tensor(scores or UNKNOWN), given["weight"] or UNKNOWN)


def _masked(op: Call, name: str) -> Report | None:
    """Report a transformer that is given a mask without `is_causal`."""
    if not op.versions.may_be("torch", since=MASKS_SINCE):
        return None
    masks: list[Value] = []
    offers: list[Offer] = []
    for mask, mask_at, flag, flag_at in MASKED.get(name, ()):
        if is_absent(_at(op, flag, flag_at)) and (given := _at(op, mask, mask_at)) is not None:
            masks.append(as_tensor(given))
            offers += _told(mask, flag)
    message = f"`{op.text}` compares its mask with a causal one, and the host waits for the result"
    return op.finding(message, *masks, offer=tuple(offers) if len(masks) == 1 else None) if masks else None


def _told(mask: str, flag: str) -> tuple[Offer, ...]:
    """Return the argument that says whether a mask is causal: for one that is made so, and for any other."""
    return (
        Offer("causal-mask", f"pass `{flag}=True`", UNSIZED, details=(mask, flag), is_sure=False),
        Offer("mask-as-given", f"pass `{flag}=False`", SLOWER, details=(flag,)),
    )


def _at(op: Call, name: str, at: int) -> Value | None:
    """Return the argument with that name or position."""
    return op.keyword(name) or (op.positional[at] if at < len(op.positional) else None)


def _norm(op: Call) -> Report | None:
    """Report a batch norm without momentum, which counts batches on the device and reads the count."""
    if op.argument("momentum") != NONE:
        return None
    if is_off(op.argument("track_running_stats")):
        return None
    message = f"`{op.text}` reads its batch counter in every training step, and the host waits"
    offer = AVERAGED if op.argument("momentum") == NONE and op.keyword("momentum") else None
    return op.finding(message, confidence=Confidence.LIKELY, frequency=EVERY_STEP, offer=offer)
