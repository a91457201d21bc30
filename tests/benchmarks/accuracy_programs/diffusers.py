"""The schedulers of diffusers, each in a denoising loop of its own, small random models, and whole small pipelines."""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
from collections.abc import Iterator, Mapping
from typing import Any, Final

import diffusers
import torch

from .arguments import Pool, UnfitError, call, combinations, required
from .program import MEASURED, Program, Step, step_of

SMALL: Final[Mapping[str, Any]] = {
    "sample_size": 16,
    "in_channels": 4,
    "out_channels": 4,
    "latent_channels": 4,
    "num_layers": 2,
    "num_single_layers": 1,
    "layers_per_block": 1,
    "num_attention_heads": 2,
    "attention_head_dim": 8,
    "cross_attention_dim": 16,
    "norm_num_groups": 4,
    "block_out_channels": (8, 16),
    "patch_size": 2,
    "joint_attention_dim": 16,
    "pooled_projection_dim": 16,
    "caption_projection_dim": 16,
    "caption_channels": 16,
    "num_embeds_ada_norm": 10,
}
"""Sizes of small models, for those constructors that have such a parameter."""
BLOCKS: Final[Mapping[str, Any]] = {
    "UNet2DModel": {
        "down_block_types": ("DownBlock2D", "AttnDownBlock2D"),
        "up_block_types": ("AttnUpBlock2D", "UpBlock2D"),
    },
    "UNet2DConditionModel": {
        "down_block_types": ("DownBlock2D", "CrossAttnDownBlock2D"),
        "up_block_types": ("CrossAttnUpBlock2D", "UpBlock2D"),
    },
    "ControlNetModel": {
        "down_block_types": ("DownBlock2D", "CrossAttnDownBlock2D"),
        "conditioning_embedding_out_channels": (8, 16),
    },
    "UNet3DConditionModel": {
        "down_block_types": ("DownBlock3D", "CrossAttnDownBlock3D"),
        "up_block_types": ("CrossAttnUpBlock3D", "UpBlock3D"),
    },
    "AutoencoderKL": {"down_block_types": ("DownEncoderBlock2D",) * 2, "up_block_types": ("UpDecoderBlock2D",) * 2},
    "VQModel": {"down_block_types": ("DownEncoderBlock2D",) * 2, "up_block_types": ("UpDecoderBlock2D",) * 2},
}


def _random(*shape: int) -> Any:
    return lambda: torch.rand(shape, device="cuda")


INPUTS: Final = Pool(
    {
        r"sample|hidden_states|x|latents": [
            _random(2, 4, 16, 16),
            _random(2, 3, 16, 16),
            _random(2, 4, 3, 16, 16),
            _random(2, 16, 4),
            _random(2, 4, 16),
        ],
        r"timesteps?|t": [lambda: torch.tensor([3, 5]).cuda(), lambda: 3],
        r"encoder_hidden_states": [_random(2, 5, 16)],
        r"pooled_projections": [_random(2, 16)],
        r"controlnet_cond": [_random(2, 3, 32, 32)],
        r"class_labels": [lambda: torch.tensor([1, 2]).cuda()],
        r"img_ids": [lambda: torch.zeros(16, 3, device="cuda")],
        r"txt_ids": [lambda: torch.zeros(5, 3, device="cuda")],
        r"guidance": [_random(2)],
        r"z": [_random(2, 4, 8, 8)],
    },
    [_random(2, 5, 16), _random(2, 16), _random(2), lambda: torch.ones(2, 5, device="cuda")],
)  # fmt: skip

LARGEST: Final = 20_000_000
"""Parameters of the largest model that is run."""


def programs() -> Iterator[Program]:
    """All of them."""
    for name in sorted(dir(diffusers)):
        try:
            kind = getattr(diffusers, name)
        except Exception:
            continue
        if not inspect.isclass(kind):
            continue
        if issubclass(kind, diffusers.SchedulerMixin):
            for options in (
                {},
                {"use_karras_sigmas": True},
                {"thresholding": True},
                {"prediction_type": "v_prediction"},
            ):
                if options.keys() <= inspect.signature(kind).parameters.keys():
                    words = "".join(f" {key}={value}" for key, value in options.items())
                    yield Program(f"{name}{words}", lambda kind=kind, options=options: _scheduler(kind, options))
                    yield Program(f"{name}{words} add_noise", lambda kind=kind, options=options: _noise(kind, options))
        elif issubclass(kind, diffusers.ModelMixin):
            yield Program(name, lambda kind=kind: _model(kind))
    yield from _pipelines()
    yield from _training()


def _scheduler(kind: Any, options: Mapping[str, Any]) -> Step:
    """Four steps of denoising, and then the next four."""
    scheduler = kind(**options)
    _set_timesteps(scheduler)
    timesteps, state = iter(scheduler.timesteps), {"sample": torch.rand(2, 4, 8, 8, device="cuda")}

    def step() -> None:
        for timestep in itertools.islice(timesteps, 4):
            sample = state["sample"]
            if hasattr(scheduler, "scale_model_input"):
                sample = scheduler.scale_model_input(sample, timestep)
            state["sample"] = scheduler.step(sample * 0.1, timestep, state["sample"])[0]

    return step


def _set_timesteps(scheduler: Any) -> None:
    try:
        scheduler.set_timesteps(8, device="cuda")
    except TypeError:
        scheduler.set_timesteps(8)


def _noise(kind: Any, options: Mapping[str, Any]) -> Step:
    """Noise added for random timesteps, as in training."""
    scheduler = kind(**options)
    sample = torch.rand(2, 4, 8, 8, device="cuda")
    if "sigmas" in vars(scheduler):
        timesteps = scheduler.timesteps[torch.tensor([1, 5])].cuda()
    else:
        timesteps = torch.tensor([1, 5]).cuda()
    return lambda: scheduler.add_noise(sample, torch.ones_like(sample), timesteps)


def _model(kind: Any) -> Step:
    """A model of small sizes with the first inputs it takes."""
    wanted = inspect.signature(kind.__init__).parameters
    small = {key: value for key, value in SMALL.items() if key in wanted}
    options = {**small, **BLOCKS.get(kind.__name__, {})}
    with torch.device("meta"):
        if sum(each.numel() for each in kind(**options).parameters()) > LARGEST:
            raise UnfitError("it is not small")
    model = kind(**options).to("cuda")
    others = [each for each in inspect.signature(model.forward).parameters.values() if each.name in INPUTS.named]
    refusal: Exception = UnfitError("no inputs")
    names = {each.name for each in required(model.forward)}
    optional = [each for each in inspect.signature(model.forward).parameters.values() if each.name not in names]
    known = [each for each in optional if each.name in OPTIONAL]
    for parameters in ([*required(model.forward), *others], [*required(model.forward), *known]):
        for arguments in combinations(parameters, INPUTS, 30):
            try:
                call(model.forward, arguments)
            except Exception as error:
                refusal = error
            else:
                return step_of(model, arguments)
    raise refusal


OPTIONAL: Final = (
    "timestep",
    "encoder_hidden_states",
    "pooled_projections",
    "class_labels",
    "img_ids",
    "txt_ids",
    "guidance",
)


def _pipelines() -> Iterator[Program]:
    """Pipelines that need no text; what is measured is the time from one step of the scheduler to the next."""
    for name in ("DDPM", "DDIM", "PNDM", "ScoreSdeVe", "KarrasVe", "ConsistencyModel"):
        yield Program(f"{name}Pipeline", lambda name=name: _unconditional(name), whole=False)
    yield Program("DiTPipeline", _dit, whole=False)
    yield Program("LDMPipeline", lambda: _unconditional("LDM"), whole=False)
    for scheduler in ("PNDMScheduler", "EulerDiscreteScheduler", "DPMSolverMultistepScheduler", "LCMScheduler"):
        name = f"StableDiffusionPipeline {scheduler}"
        yield Program(name, lambda scheduler=scheduler: _stable(scheduler), whole=False)


SCHEDULERS: Final = {
    "ScoreSdeVe": "ScoreSdeVeScheduler",
    "ConsistencyModel": "CMStochasticIterativeScheduler",
    "LDM": "DDIMScheduler",
}


def _unet(kind: str = "UNet2DModel", **options: Any) -> Any:
    wanted = inspect.signature(getattr(diffusers, kind).__init__).parameters
    small = {key: value for key, value in SMALL.items() if key in wanted}
    return getattr(diffusers, kind)(**{**small, **BLOCKS[kind], **options})


def _measure_steps(pipeline: Any) -> None:
    """Measure from the end of the scheduler's second step to that of the fourth."""
    pipeline.set_progress_bar_config(disable=True)
    scheduler, original, calls = pipeline.scheduler, pipeline.scheduler.step, itertools.count(1)
    set_timesteps = scheduler.set_timesteps

    def restart(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls = itertools.count(1)
        return set_timesteps(*args, **kwargs)

    @functools.wraps(original)
    def step(*args: Any, **kwargs: Any) -> Any:
        result, number = original(*args, **kwargs), next(calls)
        if number == 2:
            MEASURED.begin()
        elif number == 4:
            MEASURED.end()
        return result

    scheduler.step, scheduler.set_timesteps = step, functools.wraps(set_timesteps)(restart)


def _unconditional(name: str) -> Step:
    scheduler = getattr(diffusers, SCHEDULERS.get(name, f"{name}Scheduler"))()
    parts: dict[str, Any] = {"unet": _unet(in_channels=3, out_channels=3), "scheduler": scheduler}
    if name == "LDM":
        parts["vqvae"] = _unet("VQModel", in_channels=3, out_channels=3, latent_channels=3)
    pipeline = getattr(diffusers, f"{name}Pipeline")(**parts).to("cuda")
    _measure_steps(pipeline)
    return lambda: pipeline(batch_size=1, num_inference_steps=8, output_type="np")


def _dit() -> Step:
    transformer = diffusers.DiTTransformer2DModel(
        sample_size=8,
        num_layers=2,
        patch_size=2,
        attention_head_dim=8,
        num_attention_heads=2,
        in_channels=4,
        out_channels=8,
        num_embeds_ada_norm=10,
    )
    vae, scheduler = _unet("AutoencoderKL", in_channels=3, out_channels=3), diffusers.DDIMScheduler()
    pipeline = diffusers.DiTPipeline(transformer, vae, scheduler).to("cuda")
    _measure_steps(pipeline)
    return lambda: pipeline(class_labels=[1, 2], num_inference_steps=8, output_type="np")


def _stable(scheduler: str) -> Step:
    """Stable diffusion without its text encoder: the embeddings are given."""
    pipeline = diffusers.StableDiffusionPipeline(
        vae=_unet("AutoencoderKL", in_channels=3, out_channels=3),
        text_encoder=None,
        tokenizer=None,
        unet=_unet("UNet2DConditionModel"),
        scheduler=getattr(diffusers, scheduler)(),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    ).to("cuda")
    _measure_steps(pipeline)
    text = torch.rand(1, 5, 16, device="cuda")
    return lambda: pipeline(
        prompt_embeds=text, negative_prompt_embeds=text, height=32, width=32, num_inference_steps=8, output_type="pt"
    )


def _training() -> Iterator[Program]:
    """What training scripts take from the package: moving averages, and weights by noise."""
    yield Program("EMAModel", _average)
    yield Program("compute_snr", _snr)


def _average() -> Step:
    model = torch.nn.Linear(4, 4).to("cuda")
    average = importlib.import_module("diffusers.training_utils").EMAModel(model.parameters())
    average.to("cuda")

    def step() -> None:
        average.step(model.parameters())
        average.store(model.parameters())
        average.copy_to(model.parameters())
        average.restore(model.parameters())

    return step


def _snr() -> Step:
    module = importlib.import_module("diffusers.training_utils")
    scheduler, timesteps = diffusers.DDPMScheduler(), torch.tensor([1, 5]).cuda()
    return lambda: module.compute_snr(scheduler, timesteps)
