"""Seconds and memory of the reference workflows on a GPU, without their weights.

    python3 tools/gpu/measure_models.py COMFYUI [--tiny] [--only NAME ...] [--seconds N] [--out FILE]

COMFYUI is a folder with ComfyUI's sources. Its own model, sampler, VAE and node classes run each reference workflow end
to end at the right shapes, on random weights in bf16: what comes out is noise, what it costs is real. Where sampling
takes long, some of its steps are timed and the rest is counted. Not in it: reading weights from disk, node packs
(InstantID's adapter, ReActor), saving files, and what Guise adds. Prints a table as Markdown, row by row; --out writes
the same as JSON. --tiny checks the script itself on a CPU.
"""
import argparse
import gc
import importlib.abc
import importlib.machinery
import json
import sys
import time
import traceback
from unittest.mock import MagicMock

parser = argparse.ArgumentParser()
parser.add_argument("comfyui")
parser.add_argument("--tiny", action="store_true")
parser.add_argument("--only", nargs="*")
parser.add_argument("--seconds", type=float, default=1e9)
parser.add_argument("--out")
options = parser.parse_args()
began = time.monotonic()

# What ComfyUI imports for its server, its files and its other models, where the machine does not have it.
OPTIONAL = {"aiohttp", "av", "yaml", "psutil", "torchsde", "torchaudio", "scipy", "tqdm", "kornia", "spandrel",
            "sentencepiece", "transformers", "requests", "yarl", "pydantic", "pydantic_settings", "alembic",
            "sqlalchemy", "comfy_kitchen", "comfy_aimdo", "torchvision", "PIL", "typing_extensions", "safetensors"}


class Missing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        wanted = name.split(".")[0] in OPTIONAL
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if wanted else None

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__ = []
        module.__version__ = "9.9.9"
        if spec.name == "psutil":
            module.virtual_memory.return_value.total = 64 << 30
            module.virtual_memory.return_value.available = 48 << 30
        return module

    def exec_module(self, module):
        pass


sys.meta_path.append(Missing())
sys.path.insert(0, options.comfyui)
sys.argv = sys.argv[:1]

import torch

import comfy.cli_args

comfy.cli_args.args.cpu = options.tiny
comfy.cli_args.args.gpu_only = not options.tiny
comfy.cli_args.args.use_pytorch_cross_attention = True

import comfy.cldm.cldm
import comfy.controlnet
import comfy.ldm.lightricks.vae.causal_video_autoencoder
import comfy.ldm.models.autoencoder
import comfy.ldm.wan.vae
import comfy.ldm.wan.vae2_2
import comfy.model_management
import comfy.model_patcher
import comfy.model_sampling
import comfy.ops
import comfy.samplers
import comfy.sd
import comfy.supported_models
import comfy.text_encoders.llama
import comfy.text_encoders.t5
import comfy.utils
import nodes
from comfy_extras import nodes_custom_sampler, nodes_lt, nodes_model_advanced, nodes_wan

comfy.utils.PROGRESS_BAR_ENABLED = False
device = comfy.model_management.get_torch_device()
on_gpu = device.type == "cuda"
dtype = torch.float32 if options.tiny else torch.bfloat16
operations = comfy.ops.disable_weight_init
tiny = options.tiny


def size(full, small):
    return small if tiny else full


def fill(module):
    """Random weights: multiplying zeros takes less time than multiplying numbers."""
    for parameter in module.parameters():
        parameter.data.normal_(0, 0.02)
    return module


def patched(model):
    fill(model.diffusion_model)
    model.to(device)
    return comfy.model_patcher.ModelPatcher(model, load_device=device, offload_device=device)


def diffusion_model(config_class, unet_config):
    config = config_class(unet_config)
    config.set_inference_dtype(dtype, None)
    with torch.device(device):
        model = config.get_model({}, "", device=device)
    return patched(model)


def load_vae(module, **kept):
    vae = comfy.sd.VAE(sd={**module.state_dict(), **kept}, device=device, dtype=dtype)
    fill(vae.first_stage_model.to(device))
    return vae


def wan_vae():
    return load_vae(comfy.ldm.wan.vae.WanVAE(
        dim=96, z_dim=16, dim_mult=[1, 2, 4, 4], num_res_blocks=2, attn_scales=[],
        temperal_downsample=[False, True, True], dropout=0.0))


def wan22_vae():
    return load_vae(comfy.ldm.wan.vae2_2.WanVAE(
        dim=160, z_dim=48, dim_mult=[1, 2, 4, 4], num_res_blocks=2, attn_scales=[],
        temperal_downsample=[False, True, True], dropout=0.0))


def ltx_vae():
    return load_vae(comfy.ldm.lightricks.vae.causal_video_autoencoder.VideoVAE(version=2))


def picture_vae(channels, quantised):
    ddconfig = {"double_z": True, "z_channels": channels, "resolution": 256, "in_channels": 3, "out_ch": 3, "ch": 128,
                "ch_mult": [1, 2, 4, 4], "num_res_blocks": 2, "attn_resolutions": [], "dropout": 0.0}
    if quantised:
        return load_vae(comfy.ldm.models.autoencoder.AutoencoderKL(ddconfig=ddconfig, embed_dim=channels))
    parts = "comfy.ldm.modules.diffusionmodules.model"
    return load_vae(comfy.ldm.models.autoencoder.AutoencodingEngine(
        regularizer_config={"target": "comfy.ldm.models.autoencoder.DiagonalGaussianRegularizer"},
        encoder_config={"target": f"{parts}.Encoder", "params": ddconfig},
        decoder_config={"target": f"{parts}.Decoder", "params": ddconfig}))


def t5(kind):
    with open(f"{options.comfyui}/comfy/text_encoders/{kind}_config_xxl.json") as file:
        config = json.load(file)
    if tiny:
        config.update(num_layers=1, vocab_size=100, d_ff=256)
    return fill(comfy.text_encoders.t5.T5(config, dtype, device, operations))


def qwen_vl():
    config = {"num_hidden_layers": 1, "vocab_size": 100, "intermediate_size": 256} if tiny else {}
    return fill(comfy.text_encoders.llama.Qwen25_7BVLI(config, dtype, device, operations))


def encode_text(encoder, tokens):
    ids = torch.randint(0, 90, (1, tokens), device=device)
    with torch.no_grad():
        encoder(ids, attention_mask=None, dtype=dtype)


def upscaler():
    """A network of the shape of Real-ESRGAN's: 23 blocks of 15 convolutions on 64 channels, at half the size."""
    from torch import nn

    class Dense(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList(nn.Conv2d(64 + 32 * i, 32 if i < 4 else 64, 3, padding=1) for i in range(5))

        def forward(self, x):
            seen = x
            for layer in self.layers[:4]:
                seen = torch.cat([seen, nn.functional.leaky_relu(layer(seen), 0.2)], 1)
            return x + 0.2 * self.layers[4](seen)

    body = [Dense() for _ in range(size(69, 1))]
    net = nn.Sequential(nn.PixelUnshuffle(2), nn.Conv2d(12, 64, 3, padding=1), *body,
                        nn.Upsample(scale_factor=2), nn.Conv2d(64, 64, 3, padding=1),
                        nn.Upsample(scale_factor=2), nn.Conv2d(64, 3, 3, padding=1))
    return net.to(device, dtype)


def upscale(net, pixels):
    with torch.no_grad():
        for picture in pixels:
            net(picture.movedim(-1, 0)[None].to(device, dtype))


def words(tokens, features, **more):
    return [[torch.randn(1, tokens, features), more]]


def picture(width, height):
    return torch.rand(1, height, width, 3)


class Case:
    """The parts of a run, timed."""

    def __init__(self):
        self.parts = {"text": 0.0, "photos": 0.0, "sampling": 0.0, "decoding": 0.0, "upscaling": 0.0}
        comfy.model_management.unload_all_models()
        gc.collect()
        if on_gpu:
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()

    def time(self, part, work, times=1.0):
        if on_gpu:
            torch.cuda.synchronize()
        start = time.monotonic()
        result = work()
        if on_gpu:
            torch.cuda.synchronize()
        self.parts[part] += (time.monotonic() - start) * times
        return result

    def sample(self, model, latent, positive, negative, steps, cfg, sampler, scheduler, timed):
        """Times `timed` of the steps, after one that warms up."""
        run = lambda last: nodes.common_ksampler(model, 1, steps, cfg, sampler, scheduler, positive, negative, latent,
                                                 last_step=last)[0]
        run(1)
        return self.time("sampling", lambda: run(timed), steps / timed)

    def decode(self, vae, latent):
        pixels = self.time("decoding", lambda: vae.decode(latent["samples"]))
        return pixels.reshape(-1, *pixels.shape[-3:])


def flux(case, _):
    model = diffusion_model(comfy.supported_models.FluxSchnell, {
        "image_model": "flux", "axes_dim": [16, 56, 56], "num_heads": size(24, 2), "mlp_ratio": 4.0, "theta": 10000,
        "out_channels": 16, "qkv_bias": True, "txt_ids_dims": [], "in_channels": 16, "hidden_size": size(3072, 256),
        "context_in_dim": 4096, "patch_size": 2, "vec_in_dim": 768, "depth": size(19, 1),
        "depth_single_blocks": size(38, 1), "guidance_embed": False})
    encoder, vae = t5("t5"), picture_vae(16, False)
    case.time("text", lambda: encode_text(encoder, 256))
    width, height = size((1200, 1808), (64, 96))
    latent = {"samples": torch.zeros(1, 16, height // 8, width // 8)}
    positive = words(256, 4096, pooled_output=torch.randn(1, 768))
    made = case.sample(model, latent, positive, positive, 4, 1, "euler", "simple", size(4, 2))
    case.decode(vae, made)


def qwen(case, variant):
    photos, lightning = variant
    model = diffusion_model(comfy.supported_models.QwenImage, {
        "image_model": "qwen_image", "in_channels": 64, "num_layers": size(60, 1),
        "num_attention_heads": size(24, 2)})
    model = nodes_model_advanced.ModelSamplingAuraFlow().patch_aura(model, 3.0)[0]
    encoder, vae, net = qwen_vl(), wan_vae(), upscaler()
    width, height = size((832, 1248), (64, 96))
    # TextEncodeQwenImageEditPlus: each photo at 1 megapixel as a reference, and at 0.15 for the text model.
    seen = case.time("photos", lambda: [vae.encode(picture(*size((832, 1248), (64, 96)))) for _ in range(photos)])
    tokens = 150 + 200 * photos
    for _ in range(1 if lightning else 2):
        case.time("text", lambda: encode_text(encoder, tokens))
    positive = words(tokens, 3584, reference_latents=seen)
    latent = {"samples": torch.zeros(1, 16, 1, height // 8, width // 8)}
    steps, cfg = (8, 1) if lightning else (20, 4)
    made = case.sample(model, latent, positive, words(tokens, 3584, reference_latents=seen), steps, cfg, "euler",
                       "simple", size(8 if lightning else 6, 2))
    case.time("upscaling", lambda: upscale(net, case.decode(vae, made)))


SDXL_UNET = {"use_checkpoint": False, "image_size": 32, "out_channels": 4, "use_spatial_transformer": True,
             "legacy": False, "num_classes": "sequential", "adm_in_channels": 2816, "in_channels": 4,
             "model_channels": size(320, 64), "num_res_blocks": [2, 2, 2],
             "transformer_depth": size([0, 0, 2, 2, 10, 10], [0, 0, 1, 1, 1, 1]), "channel_mult": [1, 2, 4],
             "transformer_depth_middle": size(10, 1), "use_linear_in_transformer": True, "context_dim": 2048,
             "num_head_channels": 64,
             "transformer_depth_output": size([0, 0, 0, 2, 2, 2, 10, 10, 10], [0, 0, 0, 1, 1, 1, 1, 1, 1]),
             "use_temporal_attention": False, "use_temporal_resblock": False}


def sdxl(case, controlled):
    model = diffusion_model(comfy.supported_models.SDXL, SDXL_UNET)
    vae, net = picture_vae(4, True), upscaler()
    width, height = size((832, 1248), (64, 96))
    more = {"pooled_output": torch.randn(1, 1280), "width": width, "height": height}
    if controlled:
        config = {name: value for name, value in SDXL_UNET.items() if name not in ("out_channels", "transformer_depth_output")}
        net_config = {**config, "hint_channels": 3, "dtype": dtype, "device": device, "operations": operations}
        control_model = fill(comfy.cldm.cldm.ControlNet(**net_config))
        control = comfy.controlnet.ControlNet(control_model, load_device=device)
        control.set_cond_hint(picture(width, height).movedim(-1, 1), 0.8, (0, 1))
        more.update(control=control, control_apply_to_uncond=True)
    positive, negative = words(154, 2048, **more), words(154, 2048, **more)
    latent = {"samples": torch.zeros(1, 4, height // 8, width // 8)}
    made = case.sample(model, latent, positive, negative, 30, 4.5 if controlled else 5, "dpmpp_2m", "karras",
                       size(30, 2))
    case.time("upscaling", lambda: upscale(net, case.decode(vae, made)))


def shifted(model, shift):
    return nodes_model_advanced.ModelSamplingSD3().patch(model, shift)[0]


def wan22(case, seconds):
    model = shifted(diffusion_model(comfy.supported_models.WAN22_T2V, {
        "image_model": "wan2.1", "model_type": "t2v", "dim": size(3072, 256), "out_dim": 48,
        "num_heads": size(24, 2), "ffn_dim": size(14336, 256),
        "num_layers": size(30, 1), "patch_size": (1, 2, 2), "freq_dim": 256, "window_size": (-1, -1), "qk_norm": True,
        "cross_attn_norm": True, "eps": 1e-6, "in_dim": 48}), 8.0)
    encoder, vae = t5("umt5"), wan22_vae()
    for _ in range(2):
        case.time("text", lambda: encode_text(encoder, 512))
    width, height = size((1280, 704), (64, 64))
    length = size(min(24 * seconds + 1, 121), 5)
    latent = case.time("photos", lambda: nodes_wan.Wan22ImageToVideoLatent.execute(
        vae, width, height, length, 1, picture(width, height)).args[0])
    made = case.sample(model, latent, words(512, 4096), words(512, 4096), 20, 5, "uni_pc", "simple", size(4, 2))
    case.decode(vae, made)


def wan_first_last(case, seconds):
    model = shifted(diffusion_model(comfy.supported_models.WAN21_I2V, {
        "image_model": "wan2.1", "model_type": "i2v", "dim": size(5120, 256), "out_dim": 16,
        "num_heads": size(40, 2), "ffn_dim": size(13824, 256),
        "num_layers": size(40, 1), "patch_size": (1, 2, 2), "freq_dim": 256, "window_size": (-1, -1), "qk_norm": True,
        "cross_attn_norm": True, "eps": 1e-6, "in_dim": 36, "flf_pos_embed_token_number": 514}), 8.0)
    encoder, vae = t5("umt5"), wan_vae()
    for _ in range(2):
        case.time("text", lambda: encode_text(encoder, 512))
    width, height = size((832, 480), (64, 64))
    length = size(min(16 * seconds + 1, 81), 5)
    vision = comfy.clip_vision.Output()
    vision["penultimate_hidden_states"] = torch.randn(1, 257, 1280)
    positive, negative, latent = case.time("photos", lambda: nodes_wan.WanFirstLastFrameToVideo.execute(
        words(512, 4096), words(512, 4096), vae, width, height, length, 1, start_image=picture(width, height),
        end_image=picture(width, height), clip_vision_start_image=vision, clip_vision_end_image=vision).args)
    made = case.sample(model, latent, positive, negative, 20, 4, "uni_pc", "simple", size(3, 2))
    case.decode(vae, made)


def ltx(case, variant):
    seconds, last_too = variant
    model = diffusion_model(comfy.supported_models.LTXV, {
        "image_model": "ltxv", "num_layers": size(28, 1), "attention_head_dim": 64, "cross_attention_dim": 2048})
    encoder, vae = t5("t5"), ltx_vae()
    for _ in range(2):
        case.time("text", lambda: encode_text(encoder, 256))
    width, height = size((864, 480), (64, 64))
    length = size(24 * seconds + 1, 9)
    photo = picture(width, height)
    positive, negative = (words(256, 4096, attention_mask=torch.ones(1, 256, dtype=torch.long)) for _ in range(2))
    if last_too:
        def guided():
            empty = nodes_lt.EmptyLTXVLatentVideo.execute(width, height, length, 1).args[0]
            first = nodes_lt.LTXVAddGuide.execute(positive, negative, vae, empty, photo, 0, 1.0).args
            return nodes_lt.LTXVAddGuide.execute(first[0], first[1], vae, first[2], photo, -1, 1.0).args
        positive, negative, latent = case.time("photos", guided)
    else:
        positive, negative, latent = case.time("photos", lambda: nodes_lt.LTXVImgToVideo.execute(
            positive, negative, photo, vae, width, height, length, 1, 1.0).args)
    positive, negative = nodes_lt.LTXVConditioning.execute(positive, negative, 24).args
    sigmas = nodes_lt.LTXVScheduler.execute(size(30, 2), 2.05, 0.95, True, 0.1, latent).args[0]
    sampler = comfy.samplers.sampler_object("euler")
    run = lambda some: nodes_custom_sampler.SamplerCustom.execute(
        model, True, 1, 3.0, positive, negative, sampler, some, latent).args[0]
    run(sigmas[:2])
    made = case.time("sampling", lambda: run(sigmas))
    if last_too:
        made = nodes_lt.LTXVCropGuides.execute(positive, negative, made).args[2]
    case.decode(vae, made)


CASES = [
    ("self-prompt-flux", "1200×1808, 4 steps", flux, None),
    ("multi-swap-qwen-lightning", "832×1248, 8 steps", qwen, (1, True)),
    ("multi-swap-qwen-lightning-two-photos", "832×1248, 8 steps", qwen, (2, True)),
    ("multi-swap-qwen", "832×1248, 20 steps, guidance", qwen, (1, False)),
    ("multi-swap-qwen-two-photos", "832×1248, 20 steps, guidance", qwen, (2, False)),
    ("face-swap-instantid", "832×1248, 30 steps, ControlNet", sdxl, True),
    ("portrait-photomaker", "832×1248, 30 steps", sdxl, False),
    ("video-ltx", "4 s, 97 frames, 864×480", ltx, (4, False)),
    ("video-ltx", "8 s, 193 frames, 864×480", ltx, (8, False)),
    ("video-ltx-first-last", "4 s, 97 frames, 864×480", ltx, (4, True)),
    ("video-ltx-first-last", "8 s, 193 frames, 864×480", ltx, (8, True)),
    ("video-wan22", "4 s, 97 frames, 1280×704", wan22, 4),
    ("video-wan22", "6 and 8 s, 121 frames, 1280×704", wan22, 6),
    ("video-wan21-first-last", "4 s, 65 frames, 832×480", wan_first_last, 4),
    ("video-wan21-first-last", "6 and 8 s, 81 frames, 832×480", wan_first_last, 6),
]

name = torch.cuda.get_device_name(0) if on_gpu else "CPU"
print(f"{name}, PyTorch {torch.__version__}, Python {sys.version.split()[0]}\n")
print("| workflow | case | text | photos | sampling | decoding | upscaling | in all | memory |")
print("|---|---|---|---|---|---|---|---|---|", flush=True)
rows, failed = [], 0
for workflow, what, measure, variant in CASES:
    if options.only and workflow not in options.only:
        continue
    if tiny and any(row["workflow"] == workflow for row in rows):
        continue
    if time.monotonic() - began > options.seconds:
        print(f"| {workflow} | {what} | not measured: no time left |", flush=True)
        continue
    case = Case()
    try:
        with torch.inference_mode():
            measure(case, variant)
    except Exception as error:
        failed += 1
        print(f"| {workflow} | {what} | failed: {type(error).__name__}: {str(error)[:200]} |", flush=True)
        if tiny:
            traceback.print_exc()
        continue
    memory = torch.cuda.max_memory_allocated() / 1e9 if on_gpu else 0
    row = {"workflow": workflow, "case": what, **case.parts, "all": sum(case.parts.values()), "memory": memory}
    rows.append(row)
    cells = [f"{seconds:.2f}" for seconds in case.parts.values()] + [f"{row['all']:.1f} s", f"{memory:.0f} GB"]
    print(f"| {workflow} | {what} | {' | '.join(cells)} |", flush=True)
    if options.out:
        with open(options.out, "w") as file:
            json.dump({"device": name, "torch": torch.__version__, "rows": rows}, file, indent=1)
print(f"\n{time.monotonic() - began:.0f} s in all", flush=True)
sys.exit(1 if failed else 0)
