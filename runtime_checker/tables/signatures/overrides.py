"""Signatures that neither stubs nor calls with guessed arguments can tell: written by hand, one reason per group.

A value is `RESULT DEVICE DTYPE RANK`, where `.` keeps what was found. A bare name holds for the function in every
namespace and for the method; a dotted name holds only for itself and takes precedence.
"""

from __future__ import annotations

OVERRIDES: dict[str, str] = {}


def _rows(value: str, names: str) -> None:
    OVERRIDES.update(dict.fromkeys(names.split(), value))


# They read the host: numpy arrays, files, buffers, the state of the CPU generator.
_rows("tensor cpu any any", "torch.from_numpy torch.frombuffer")
_rows("tensor cpu any 1+", "torch.from_file")
_rows("tensor cpu uint8 1+", "torch.get_rng_state")
_rows("tensor cpu same first", "torch.Tensor.cpu")
# It reads its input on the host and returns numbers there. Source: aten/src/ATen/native/QuantizedLinear.cpp.
_rows(". cpu . .", "torch.choose_qparams_optimized")
_rows("tensor cpu same first", "torch.Tensor.pin_memory")
_rows("tensor any same first", "torch.Tensor.ipu torch.Tensor.xpu torch.Tensor.mtia torch.Tensor.to_mkldnn")
_rows("tensor cuda same first", "torch.Tensor.cuda")
_rows("tensor args any any", "torch.from_dlpack")
# They keep the device of tensor data and move anything else to the default device.
_rows("tensor like any any",
      "torch.tensor torch.as_tensor torch.asarray torch.Tensor.new_tensor torch.Tensor.new")  # fmt: skip
# `to` takes a device, a dtype or a tensor to resemble; `type` without arguments names the type.
_rows("tensor like like first", "torch.Tensor.to")
_rows(". args like first", "torch.Tensor.type")
_rows("tensor args like size", "torch.Tensor.view")

# Sizes, bounds and fill values decide dtype or rank of factories.
_rows(". factory any 1+", "torch.arange")
_rows(". . any size", "torch.full")
_rows(". . like .",
      "torch.Tensor.new_full torch.Tensor.new_zeros torch.Tensor.new_ones torch.Tensor.new_empty "
      "torch.Tensor.new_empty_strided")  # fmt: skip
_rows(". . int64 2", "torch.tril_indices torch.triu_indices argwhere")
_rows(". . int64 positions", "nonzero")
_rows(". . . flat", "flatten ravel")
_rows(". . int64 1", "torch.randperm")
_rows(". . int64 size", "torch.randint")
_rows(". factory factory 0", "torch.scalar_tensor")
_rows(". factory factory 1+", "torch.eye torch.range torch.linspace torch.logspace")
_rows(". factory factory 1+",
      "bartlett_window blackman_window hamming_window hann_window kaiser_window torch.fft.fftfreq "
      "torch.fft.rfftfreq")  # fmt: skip
_rows(". like . any", "torch.normal")
_rows(". . like first",
      "torch.empty_like torch.full_like torch.ones_like torch.rand_like torch.randint_like torch.randn_like "
      "torch.zeros_like")  # fmt: skip
_rows("tensor like . 1+",
      "sparse_coo_tensor sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor "
      "sparse_compressed_tensor")  # fmt: skip

# They have the dtype of the tensor whose values they keep, whatever else they are given.
_rows(". . like .", "expand_as masked_fill masked_scatter")
_rows(". . like any", "view_as reshape_as")

# They need arguments that fit together, which guessing does not find.
_rows(". . same same", "clamp clip where")
_rows(". . same first",
      "conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d grid_sampler grid_sample grid_sampler_2d "
      "grid_sampler_3d interpolate upsample upsample_bilinear upsample_nearest scaled_dot_product_attention "
      "ormqr lu_solve ldl_solve cross smm linear batch_norm native_channel_shuffle channel_shuffle "
      "pixel_shuffle pixel_unshuffle conv1d conv2d conv3d instance_norm group_norm layer_norm rms_norm bilinear "
      "fold unfold max_unpool1d max_unpool2d max_unpool3d")  # fmt: skip
_rows(". . . 1+", "torch.nn.functional.fold torch.nn.functional.unfold")
_rows(". . same 1+",
      "affine_grid affine_grid_generator embedding embedding_bag torch.Tensor.unfold unfold_copy hspmm saddmm "
      "sspaddmm")  # fmt: skip
_rows(". . any 1+", "stft istft")
_rows(". . same first",
      "to_sparse to_sparse_csr to_sparse_csc to_sparse_bsr to_sparse_bsc coalesce sparse_mask "
      "to_padded_tensor")  # fmt: skip
_rows(". . float same", "scaled_modified_bessel_k0 scaled_modified_bessel_k1")
_rows(". . int64 reduce", "count_nonzero")
_rows(". args same any", "einsum tensordot chain_matmul")
_rows(". . same .", "pow kl_div ctc_loss binary_cross_entropy binary_cross_entropy_with_logits")
_rows(". . same 1+", "addbmm addmv cartesian_prod block_diag")
_rows(". . . first", "local_response_norm prelu index_add index_copy index_fill index_reduce index_select")
_rows(". . . less", "unbind unbind_copy select select_copy")
_rows(". . . any", "cosine_similarity view_copy solve solve_ex")
_rows(". . any .", "sum_to_size")
_rows(". . int64 1+", "one_hot")
_rows(". . . reduce", "max min median nanmedian")
_rows(". . same,int64 first",
      "max_pool1d max_pool2d max_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d "
      "fractional_max_pool2d fractional_max_pool3d")  # fmt: skip
# They reject 0-dimensional tensors, so the result has a dimension whatever is known about the input.
_rows(". . . 1+", "cat concat concatenate multinomial tile")
_rows(". . . 1", "bincount masked_select")
_rows(". . complex any", "view_as_complex view_as_complex_copy")
_rows(". . float 1+", "view_as_real view_as_real_copy")
_rows(". . real first", "imag")
_rows(". . int64 1+", "indices crow_indices col_indices ccol_indices row_indices")
_rows(". . same .", "values")
_rows("tuple:2 args same first", "rnn_relu rnn_tanh gru lstm_cell")
_rows("tuple:3 args same first", "lstm")
_rows("tensor args same first", "gru_cell rnn_relu_cell rnn_tanh_cell")
_rows("tuple:2 args same 1+", "multi_head_attention_forward")
_rows(". . . 1+", "embedding_renorm")
# A 0-dimensional result is possible through an optional argument.
_rows(". . . any", "quantile nanquantile segment_reduce")

# A tensor for one argument, a tuple for several.
_rows("other - - -", "atleast_1d atleast_2d atleast_3d")
_rows("tuple:2/tuple:3@get_infos args same,int32,int32 same,1+,any", "torch.lu torch.Tensor.lu")
# Their stubs only have the overload that writes into `out`.
_rows("tensors args same any", "unbind_copy split_copy split_with_sizes_copy")
# The implementation computes inverse and counts on demand; its annotation names all three.
_rows("tensor/tuple:2@return_inverse/tuple:2@return_counts/tuple:3@return_inverse&return_counts "
      "args same,int64,int64 flat,any,1", "unique unique_consecutive")  # fmt: skip

_rows("bool - - -",
      "is_tensor is_storage torch.Tensor.is_shared torch.is_autocast_ipu_enabled "
      "torch.is_autocast_xla_enabled")  # fmt: skip
_rows("size - - -", "torch.broadcast_shapes")
_rows("size/int@dim - - -", "torch.Tensor.stride")
_rows("none - - -", "torch.set_printoptions torch.Tensor.backward torch.Tensor.module_load")
_rows("other - - -",
      "torch.compile torch.load torch.Tensor.register_hook torch.Tensor.__array__ torch.manual_seed")  # fmt: skip
_rows("tensor args same first", "torch.Tensor.to_sparse_coo torch.Tensor.as_subclass")
_rows("number - - -", "item")
_rows("int - - -", "torch.Tensor.const_data_ptr")
_rows("tensor args complex same", "torch.Tensor.cfloat torch.Tensor.cdouble")

# Packed sequences and norms of many tensors.
_rows("tensor args same 0",
      "torch.nn.utils.clip_grad_norm_ torch.nn.utils.clip_grad_norm torch.nn.utils.get_total_norm")  # fmt: skip
_rows("none - - -",
      "torch.nn.utils.clip_grad_value_ torch.nn.utils.clip_grads_with_norm_ "
      "torch.nn.utils.vector_to_parameters")  # fmt: skip
_rows("tensor args same 1+", "torch.nn.utils.parameters_to_vector torch.nn.utils.rnn.pad_sequence")
_rows("tensors args same 1+", "torch.nn.utils.rnn.unpad_sequence torch.nn.utils.rnn.unpack_sequence")
_rows("tuple:2 args same,int64 1+", "torch.nn.utils.rnn.pad_packed_sequence")
_rows("other - - -",
      "torch.nn.utils.rnn.pack_padded_sequence torch.nn.utils.rnn.pack_sequence "
      "torch.nn.utils.rnn.invert_permutation")  # fmt: skip
_rows("tensor args same first", "torch.nn.utils.rnn.invert_permutation")
_rows("float - - -", "torch.nn.init.calculate_gain")

# Collectives write into their arguments and return work to wait for on request.
_rows("none/other@async_op - - -",
      "torch.distributed.all_gather torch.distributed.all_gather_coalesced "
      "torch.distributed.all_gather_into_tensor torch.distributed.all_gather_single "
      "torch.distributed.all_reduce torch.distributed.all_reduce_coalesced torch.distributed.all_to_all "
      "torch.distributed.all_to_all_single torch.distributed.barrier torch.distributed.broadcast "
      "torch.distributed.gather torch.distributed.reduce torch.distributed.reduce_scatter "
      "torch.distributed.reduce_scatter_single torch.distributed.reduce_scatter_tensor "
      "torch.distributed.scatter")  # fmt: skip
_rows("none - - -",
      "torch.distributed.all_gather_object torch.distributed.broadcast_object_list "
      "torch.distributed.gather_object torch.distributed.scatter_object_list torch.distributed.send_object_list "
      "torch.distributed.monitored_barrier torch.distributed.destroy_process_group "
      "torch.distributed.init_process_group torch.distributed.send")  # fmt: skip
_rows("int - - -",
      "torch.distributed.recv torch.distributed.recv_object_list torch.distributed.get_global_rank")  # fmt: skip
_rows("str - - -", "torch.distributed.get_backend")

# Layers: most keep the number of dimensions of their input, as the generator assumes.
_rows("other - - -",
      "torch.nn.Sequential torch.nn.DataParallel torch.nn.ModuleList torch.nn.ModuleDict torch.nn.Module "
      "torch.nn.ParameterList torch.nn.ParameterDict torch.nn.Container torch.nn.RNNBase "
      "torch.nn.RNNCellBase")  # fmt: skip
_rows("tuple:2 args same 1+", "torch.nn.GRU torch.nn.RNN torch.nn.MultiheadAttention torch.nn.LSTMCell")
_rows("nested args same 1+", "torch.nn.LSTM")
_rows("tuple:2 args same 1+,0", "torch.nn.AdaptiveLogSoftmaxWithLoss")
_rows("tensor args float 1+", "torch.nn.Embedding torch.nn.EmbeddingBag")
_rows("tensor args same 1+", "torch.nn.Flatten torch.nn.Unflatten torch.nn.Fold torch.nn.Unfold")
_rows("tensor args same any", "torch.nn.CosineSimilarity torch.nn.PairwiseDistance")

# Keyword arguments that torch accepts and its stubs omit.
KEYWORDS: dict[str, str] = dict.fromkeys(
    (f"torch.Tensor.{name}" for name in (
        "bfloat16", "bool", "byte", "cdouble", "cfloat", "char", "double", "float", "half", "int", "long", "short",
    )), "* memory_format:x?",
)  # fmt: skip

# Numbers by annotation that only operators of tensors see: a tensor is as good, and is not read.
KEYWORDS |= {
    "torch.nn.functional.gumbel_softmax": "logits:t tau:tf? hard:b? eps:f? dim:i?",
    "torch.nn.functional.local_response_norm": "input:t size:i alpha:tf? beta:tf? k:tf?",
    "torch.nn.functional.normalize": "input:t p:f? dim:i? eps:tf? out:t?",
    **dict.fromkeys(
        ("torch.nn.functional.lp_pool1d", "torch.nn.functional.lp_pool2d", "torch.nn.functional.lp_pool3d"),
        "input:t norm_type:tf kernel_size:i stride:i? ceil_mode:b?",
    ),
}

# Classes whose instances are tensors, or describe them.
CLASSES: dict[str, str] = {
    "torch.Tensor": "tensor factory factory any | data:x?",
    "torch.Size": "size - - - | iterable:x?",
    "torch.device": "device - - - | type:x index:i?",
    "torch.nn.Parameter": "tensor args same first | data:t? requires_grad:b?",
    "torch.nn.Buffer": "tensor args same first | data:t? * persistent:b?",
    "torch.nn.UninitializedParameter": "tensor factory factory any | requires_grad:b? device:v? dtype:d?",
    "torch.nn.UninitializedBuffer": "tensor factory factory any | requires_grad:b? device:v? dtype:d? persistent:b?",
}
_LEGACY = {
    "BFloat16Tensor": "float", "BoolTensor": "bool", "ByteTensor": "uint8", "CharTensor": "int",
    "DoubleTensor": "float", "FloatTensor": "float", "HalfTensor": "float",
    "IntTensor": "int32", "LongTensor": "int64", "ShortTensor": "int",
}  # fmt: skip
for _name, _dtype in _LEGACY.items():
    CLASSES[f"torch.{_name}"] = f"tensor cpu {_dtype} any | data:x?"
    CLASSES[f"torch.cuda.{_name}"] = f"tensor cuda {_dtype} any | data:x?"
