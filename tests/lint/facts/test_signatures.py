"""The table of torch's signatures: hand-checked rows, the reader of rows, and the generator."""

from __future__ import annotations

import inspect

import pytest
from synclint.lint.facts.signatures import lookup, public_tensor_methods
from synclint.lint.facts.torch_signatures import ROWS, TORCH

# Checked by hand against the documentation: result, device, dtype, rank.
FACTS = {
    "torch.sum": "tensor args accumulate reduce",
    "torch.Tensor.sum": "tensor args accumulate reduce",
    "torch.mean": "tensor args same reduce",
    "torch.any": "tensor args bool reduce",
    "torch.argmax": "tensor args int64 reduce",
    "torch.max": "tensor/tuple:2@dim args same,int64 reduce",
    "torch.dot": "tensor args same 0",
    "torch.add": "tensor args same same",
    "torch.div": "tensor args float same",
    "torch.eq": "tensor args bool same",
    "torch.matmul": "tensor args same any",
    "torch.nonzero": "tensor/tensors@as_tuple args int64 positions",
    "torch.where": "tensors/tensor@input args same same",
    "torch.topk": "tuple:2 args same,int64 same",
    "torch.sort": "tuple:2 args same,int64 same",
    "torch.bincount": "tensor args int64 1",
    "torch.cat": "tensor args same 1+",
    "torch.stack": "tensor args same 1+",
    "torch.gather": "tensor args like any",
    "torch.full": "tensor factory any size",
    "torch.zeros": "tensor factory factory size",
    "torch.zeros_like": "tensor like like first",
    "torch.arange": "tensor factory any 1+",
    "torch.randint": "tensor factory int64 size",
    "torch.equal": "bool - - -",
    "torch.from_numpy": "tensor cpu any any",
    "torch.tensor": "tensor like any any",
    "torch.split": "tensors args same same",
    "torch.Tensor.chunk": "tensors args same same",
    "torch.Tensor.new_tensor": "tensor like any any",
    "torch.Tensor.item": "number - - -",
    "torch.Tensor.tolist": "list - - -",
    "torch.Tensor.numpy": "numpy - - -",
    "torch.Tensor.cpu": "tensor cpu same first",
    "torch.Tensor.cuda": "tensor cuda same first",
    "torch.Tensor.to": "tensor like like first",
    "torch.Tensor.backward": "none - - -",
    "torch.Tensor.add_": "self args same first",
    "torch.Tensor.masked_fill": "tensor args like same",
    "torch.Tensor.expand_as": "tensor args like same",
    "torch.Tensor.clamp": "tensor args same same",
    "torch.Tensor.bool": "tensor args bool same",
    "torch.Tensor.float": "tensor args float same",
    "torch.Tensor.size": "size/int@dim - - -",
    "torch.Tensor.type": "str/tensor@dtype args like first",
    "torch.Tensor.shape": "size - - -",
    "torch.Tensor.dim": "int - - -",
    "torch.Tensor.numel": "int - - -",
    "torch.Tensor.is_cuda": "bool - - -",
    "torch.Tensor.T": "tensor args same first",
    "torch.linalg.inv": "tensor args same same",
    "torch.nn.functional.one_hot": "tensor args int64 1+",
    "torch.nn.functional.leaky_relu": "tensor args same same",
    "torch.nn.functional.cross_entropy": "tensor args same reduction",
    "torch.nn.functional.max_pool2d": "tensor/tuple:2@return_indices args same,int64 first",
    "torch.nn.Linear": "tensor args same first",
    "torch.nn.CrossEntropyLoss": "tensor args same reduction",
    "torch.nn.BCEWithLogitsLoss": "tensor args same reduction",
    "torch.nn.LSTM": "nested args same 1+",
    "torch.nn.MultiheadAttention": "tuple:2 args same 1+",
    "torch.nn.ModuleList": "other - - -",
    "torch.nn.utils.clip_grad_norm_": "tensor args same 0",
    "torch.distributed.get_rank": "int - - -",
    "torch.distributed.all_reduce": "none/other@async_op - - -",
}

# What a parameter accepts; the rule on scalar arguments rests on who takes a tensor.
ACCEPTS = {
    ("torch.full", "fill_value"): "s",
    ("torch.full", "size"): "i",
    ("torch.arange", "end"): "s",
    ("torch.add", "alpha"): "s",
    ("torch.add", "other"): "ts",
    ("torch.Tensor.view", "size"): "i",
    ("torch.Tensor.masked_fill", "value"): "ts",
    ("torch.Tensor.clamp", "min"): "ts",
    ("torch.Tensor.pow", "exponent"): "ts",
    ("torch.lerp", "weight"): "ts",
    ("torch.Tensor.fill_", "value"): "ts",
    ("torch.Tensor.repeat_interleave", "repeats"): "ti",
    ("torch.nn.functional.leaky_relu", "negative_slope"): "f",
    ("torch.nn.functional.gaussian_nll_loss", "var"): "tf",
    ("torch.nn.functional.cross_entropy", "weight"): "t",
    ("torch.nn.functional.one_hot", "num_classes"): "i",
    ("torch.nn.utils.clip_grad_norm_", "max_norm"): "f",
    ("torch.cat", "tensors"): "T",
    ("torch.zeros", "dtype"): "d",
    ("torch.zeros", "device"): "v",
    ("torch.sum", "keepdim"): "b",
}


@pytest.mark.parametrize("name", FACTS)
def test_hand_checked_result(name: str) -> None:
    assert ROWS[name].partition(" |")[0] == FACTS[name]


@pytest.mark.parametrize(("name", "parameter"), ACCEPTS)
def test_hand_checked_parameter(name: str, parameter: str) -> None:
    signature = lookup(name)
    assert signature is not None
    kinds = {kind for found in signature.named(parameter) for kind in found.kinds}
    assert kinds == set(ACCEPTS[name, parameter])


RESULT_WORDS = {
    "tensor", "tensors", "nested", "self", "int", "float", "bool", "number", "str", "size", "dtype", "device", "none",
    "numpy", "list", "other",
}  # fmt: skip
DTYPE_WORDS = {
    "same", "accumulate", "float", "real", "like", "factory", "bool", "int64", "int32", "uint8", "int", "complex",
    "any",
}  # fmt: skip
RANK_WORDS = {"same", "first", "0", "1", "2", "less", "positions", "flat", "reduce", "reduction", "size", "1+", "any"}


def test_every_row_is_well_formed() -> None:
    for name in ROWS:
        signature = lookup(name)
        assert signature is not None
        names = {parameter.name for parameter in signature.parameters}
        for word in signature.result.split("/"):
            word, _, condition = word.partition("@")
            assert word in RESULT_WORDS or word.partition(":")[0] == "tuple", name
            assert not condition or set(condition.split("&")) <= names, name
        if signature.device == "-":
            assert (signature.dtype, signature.rank) == ("-", "-"), name
            continue
        assert signature.device in {"args", "factory", "like", "cpu", "cuda", "any"}, name
        assert set(signature.dtype.split(",")) <= DTYPE_WORDS, name
        assert set(signature.rank.split(",")) <= RANK_WORDS, name
        assert all(p.kinds and p.kinds <= set("tTsfibdvx") for p in signature.parameters), name


def test_size_of_the_table() -> None:
    assert len(ROWS) > 1500
    assert list(ROWS) == sorted(ROWS)


def test_an_unknown_name_has_no_signature() -> None:
    assert lookup("torch.no_such_function") is None


def test_alternatives_share_a_position() -> None:
    signature = lookup("torch.max")
    assert signature is not None
    assert {parameter.name for parameter in signature.at(1)} == {"dim", "other"}
    assert signature.argument_names(1) == ("input",)
    assert signature.bind(2, ["keepdim", "nonsense"]) == {
        0: {"t"}, 1: {"t", "i"}, "keepdim": {"b"}, "nonsense": frozenset(),
    }  # fmt: skip
    assert signature.at(7) == ()


def test_a_variadic_parameter_takes_the_rest() -> None:
    signature = lookup("torch.Tensor.view")
    assert signature is not None
    assert [parameter.name for parameter in signature.at(3)] == ["size"]
    assert signature.argument_names(3)[1:] == ("size", "size")


def test_keyword_only_parameters_have_no_position() -> None:
    signature = lookup("torch.add")
    assert signature is not None
    assert [p.name for p in signature.parameters if p.keyword_only] == ["alpha", "out"]
    assert not signature.named("other")[0].optional
    assert signature.named("alpha")[0].optional


@pytest.mark.parametrize(
    ("name", "given", "result"),
    [
        ("torch.max", (), "tensor"),
        ("torch.max", ("dim",), "tuple:2"),
        ("torch.where", ("condition",), "tensors"),
        ("torch.where", ("condition", "input", "other"), "tensor"),
        ("torch.unique", (), "tensor"),
        ("torch.unique", ("return_counts",), "tuple:2"),
        ("torch.unique", ("return_counts", "return_inverse"), "tuple:3"),
        ("torch.Tensor.size", ("dim",), "int"),
    ],
)
def test_result_depends_on_what_is_given(name: str, given: tuple[str, ...], result: str) -> None:
    signature = lookup(name)
    assert signature is not None
    assert signature.result_for(given) == result


def test_elements_of_a_tuple_have_their_own_dtype() -> None:
    signature = lookup("torch.topk")
    assert signature is not None
    assert (signature.dtype_of(0), signature.dtype_of(1), signature.dtype_of(2)) == ("same", "int64", "any")
    assert signature.rank_of(1) == "same"


def test_public_tensor_methods() -> None:
    names = public_tensor_methods()
    assert {"item", "shape", "add_", "is_cuda"} <= names
    assert "relu6" not in names
    assert len(names) > 500


@pytest.mark.torch
def test_every_function_of_the_functional_module_has_a_row() -> None:
    from torch.nn import functional

    machinery = {"assert_int_or_pair", "boolean_dispatch", "handle_torch_function"}
    public = {n for n, f in vars(functional).items() if inspect.isroutine(f) and not n.startswith(("_", "has_torch"))}
    assert {n for n in public - machinery if f"torch.nn.functional.{n}" not in ROWS} == set()


@pytest.mark.torch
def test_every_tensor_attribute_has_a_row() -> None:
    import torch

    if torch.__version__.partition("+")[0] != TORCH:
        pytest.skip(f"the table describes torch {TORCH}")
    assert {name for name in dir(torch.Tensor) if not name.startswith("_")} == public_tensor_methods()


@pytest.mark.torch
def test_generation_reproduces_the_committed_file() -> None:
    import torch

    if torch.__version__.partition("+")[0] != TORCH:
        pytest.skip(f"the table describes torch {TORCH}")
    from synclint.runtime_checker.tables import generate_signatures

    assert generate_signatures.rendered() == generate_signatures.TARGET.read_text(encoding="utf-8")
