"""Files of weights that the reference workflows name, with the names and shapes of the real ones and random numbers.

Names and shapes come from ComfyUI's own model classes, made without memory (PyTorch's device meta), and are brought to
the format of each file: ComfyUI's code that recognises, converts and loads a model runs as it does on a real file. The
numbers of all tensors of a file are parts of one block of noise, as those of a file on disk are parts of one file.
"""
import functools
import json
import math
import os
import sys

import torch

import comfy.cldm.cldm
import comfy.clip_model
import comfy.ldm.lightricks.vae.causal_video_autoencoder as ltx_video
import comfy.ldm.models.autoencoder
import comfy.ldm.wan.vae
import comfy.ldm.wan.vae2_2
import comfy.ops
import comfy.quant_ops
import comfy.supported_models
import comfy.text_encoders.llama
import comfy.text_encoders.t5
import comfy.utils
import nodes

meta = torch.device("meta")
operations = comfy.ops.disable_weight_init
fp8, fp16, bf16, fp32 = torch.float8_e4m3fn, torch.float16, torch.bfloat16, torch.float32
knows_scales = getattr(comfy.quant_ops, "_CK_AVAILABLE", True)
sources = os.path.dirname(comfy.utils.__file__)

SDXL_UNET = {"use_checkpoint": False, "image_size": 32, "out_channels": 4, "use_spatial_transformer": True,
             "legacy": False, "num_classes": "sequential", "adm_in_channels": 2816, "in_channels": 4,
             "model_channels": 320, "num_res_blocks": [2, 2, 2], "transformer_depth": [0, 0, 2, 2, 10, 10],
             "channel_mult": [1, 2, 4], "transformer_depth_middle": 10, "use_linear_in_transformer": True,
             "context_dim": 2048, "num_head_channels": 64,
             "transformer_depth_output": [0, 0, 0, 2, 2, 2, 10, 10, 10],
             "use_temporal_attention": False, "use_temporal_resblock": False}
FLUX = {"image_model": "flux", "axes_dim": [16, 56, 56], "num_heads": 24, "mlp_ratio": 4.0, "theta": 10000,
        "out_channels": 16, "qkv_bias": True, "txt_ids_dims": [], "in_channels": 16, "hidden_size": 3072,
        "context_in_dim": 4096, "patch_size": 2, "vec_in_dim": 768, "guidance_embed": False}
FLUX2_KLEIN = {"image_model": "flux2", "axes_dim": [32, 32, 32, 32], "num_heads": 24, "mlp_ratio": 3.0, "theta": 2000,
               "in_channels": 128, "out_channels": 128, "hidden_size": 3072, "context_in_dim": 7680, "patch_size": 1,
               "vec_in_dim": None, "guidance_embed": False, "qkv_bias": False, "ops_bias": False, "txt_ids_dims": [3],
               "global_modulation": True, "mlp_silu_act": True, "default_ref_method": "index", "ref_index_scale": 10.0}
WAN = {"image_model": "wan2.1", "patch_size": (1, 2, 2), "freq_dim": 256, "window_size": (-1, -1), "qk_norm": True,
       "cross_attn_norm": True, "eps": 1e-6}
AUDIO_NETWORK = {"ch": 128, "ch_mult": [1, 2, 4], "num_res_blocks": 2, "attn_resolutions": [], "resolution": 256,
                 "in_channels": 2, "out_ch": 2, "z_channels": 8, "double_z": True, "mel_bins": 64, "norm_type": "pixel",
                 "causality_axis": "height", "mid_block_add_attention": False, "downsample_time": False, "dropout": 0.0}
WAVES = {"resblock": "AMP1", "activation": "snakebeta", "stereo": True, "use_tanh_at_final": False,
         "use_bias_at_final": False, "resblock_kernel_sizes": [3, 7, 11], "resblock_dilation_sizes": [[1, 3, 5]] * 3}
# What ComfyUI does not see from the tensors of LTX-2.3 and reads from the metadata of its file.
LTX2 = {
    "transformer": {
        "num_layers": 48, "in_channels": 128, "num_attention_heads": 32, "attention_head_dim": 128,
        "cross_attention_dim": 4096, "audio_num_attention_heads": 32, "audio_attention_head_dim": 64,
        "audio_cross_attention_dim": 2048, "caption_channels": 3840, "caption_proj_before_connector": True,
        "caption_projection_first_linear": False, "cross_attention_adaln": True, "apply_gated_attention": True,
        "connector_num_layers": 8, "connector_num_attention_heads": 32, "connector_attention_head_dim": 128,
        "audio_connector_num_attention_heads": 32, "audio_connector_attention_head_dim": 64,
        "connector_apply_gated_attention": True, "rope_type": "split", "frequencies_precision": "float64",
        "causal_temporal_positioning": True, "use_middle_indices_grid": True, "timestep_scale_multiplier": 1000,
        "av_ca_timestep_scale_multiplier": 1000.0},
    "vae": {
        "dims": 3, "latent_channels": 128, "patch_size": 4, "norm_layer": "pixel_norm", "latent_log_var": "uniform",
        "spatial_padding_mode": "zeros", "causal_decoder": False, "timestep_conditioning": False,
        "encoder_blocks": [
            ["res_x", {"num_layers": 4}], ["compress_space_res", {"multiplier": 2}],
            ["res_x", {"num_layers": 6}], ["compress_time_res", {"multiplier": 2}],
            ["res_x", {"num_layers": 4}], ["compress_all_res", {"multiplier": 2}],
            ["res_x", {"num_layers": 2}], ["compress_all_res", {"multiplier": 1}], ["res_x", {"num_layers": 2}]],
        "decoder_blocks": [
            ["res_x", {"num_layers": 4}], ["compress_space", {"multiplier": 2}],
            ["res_x", {"num_layers": 6}], ["compress_time", {"multiplier": 2}],
            ["res_x", {"num_layers": 4}], ["compress_all", {"multiplier": 1}],
            ["res_x", {"num_layers": 2}], ["compress_all", {"multiplier": 2}], ["res_x", {"num_layers": 2}]]},
    "audio_vae": {"model": {"params": {"ddconfig": AUDIO_NETWORK, "sampling_rate": 16000}},
                  "preprocessing": {"stft": {"filter_length": 1024, "hop_length": 160}}},
    "vocoder": {
        "vocoder": {**WAVES, "upsample_initial_channel": 1536, "upsample_rates": [5, 2, 2, 2, 2, 2],
                    "upsample_kernel_sizes": [11, 4, 4, 4, 4, 4]},
        "bwe": {**WAVES, "upsample_initial_channel": 512, "upsample_rates": [6, 5, 2, 2, 2],
                "upsample_kernel_sizes": [12, 11, 4, 4, 4], "input_sampling_rate": 16000,
                "output_sampling_rate": 48000, "n_fft": 512, "hop_length": 80, "num_mels": 64}}}
PICTURE_VAE = {"double_z": True, "resolution": 256, "in_channels": 3, "out_ch": 3, "ch": 128,
               "ch_mult": [1, 2, 4, 4], "num_res_blocks": 2, "attn_resolutions": [], "dropout": 0.0}


class Noise:
    """Tensors of random numbers, all of one type cut out of one block."""

    def __init__(self):
        self.blocks = {}
        self.random = torch.Generator().manual_seed(1)

    def tensor(self, shape, dtype, scale):
        count = math.prod(shape)
        block = self.blocks.get((dtype, scale))
        if block is None or block.numel() < count + 64:
            some = (torch.randn(1 << 22, generator=self.random) * scale).to(dtype)
            copies = (count + 64) // some.numel() + 1
            block = some.view(torch.uint8).repeat(copies).view(dtype)
            self.blocks[dtype, scale] = block
        # Tensors of safetensors files begin at multiples of 8 bytes.
        start = int(torch.randint(0, max(1, (block.numel() - count) // 16), (1,), generator=self.random)) * 16
        return block[start:start + count].view(shape)


noise = Noise()


def numbers(layout):
    """Random numbers for a layout: the shape and type of each name. Norms are ones, biases zeros."""
    made = {}
    for name, (shape, dtype) in layout.items():
        if dtype == torch.uint8:
            made[name] = noise.tensor(shape, fp8, 1.0).view(torch.uint8)
        elif not dtype.is_floating_point:
            made[name] = torch.zeros(shape, dtype=dtype)
        elif name.endswith((".scale_weight", ".weight_scale")):
            made[name] = torch.full(shape, 0.02, dtype=dtype)
        elif name.endswith("bias"):
            made[name] = torch.zeros(shape, dtype=dtype)
        elif len(shape) < 2:
            made[name] = torch.ones(shape, dtype=dtype)
        else:
            layer = name.removesuffix("weight")
            has_scale = dtype == fp8 and (layer + "scale_weight" in layout or layer + "weight_scale" in layout)
            made[name] = noise.tensor(shape, dtype, 1.0 if has_scale else 0.02)
            # Small networks without norms would answer nothing but black.
            if dtype == fp32:
                made[name] = made[name] * (50 / math.sqrt(math.prod(shape[1:])))
    return made


def layout_of(module, dtype, prefix=""):
    return {prefix + name: (tuple(value.shape), dtype if value.is_floating_point() else value.dtype)
            for name, value in module.state_dict().items()}


def of_state(state, dtype):
    return {name: (tuple(value.shape), dtype if value.is_floating_point() else value.dtype)
            for name, value in state.items()}


def scaled(module, others):
    """The layout of a file whose name ends in fp8_scaled: linear layers in eight bits, each with a scale.

    Newer versions of ComfyUI have a package for those; without it, all is in eight bits and nothing has a scale."""
    if not knows_scales:
        return layout_of(module, fp8)
    layout = layout_of(module, others)
    for name, part in module.named_modules():
        if isinstance(part, torch.nn.Linear):
            layout[f"{name}.weight"] = (tuple(part.weight.shape), fp8)
            layout[f"{name}.scale_weight"] = ((), fp32)
    # Two numbers say that matrices are multiplied in full precision.
    layout["scaled_fp8"] = ((2,), fp8)
    return layout


def diffusion_model(config_class, unet_config):
    config = config_class(unet_config)
    config.set_inference_dtype(bf16, None)
    return config.get_model({}, "", device=meta).diffusion_model


def t5(kind):
    with open(f"{sources}/text_encoders/{kind}_config_xxl.json") as file:
        return comfy.text_encoders.t5.T5(json.load(file), bf16, meta, operations)


def clip_text(file):
    with open(f"{sources}/{file}") as config:
        return comfy.clip_model.CLIPTextModel(json.load(config), fp16, meta, operations)


def picture_vae(channels, with_quantiser):
    config = {**PICTURE_VAE, "z_channels": channels}
    with meta:
        if with_quantiser:
            return comfy.ldm.models.autoencoder.AutoencoderKL(ddconfig=config, embed_dim=channels)
        parts = "comfy.ldm.modules.diffusionmodules.model"
        return comfy.ldm.models.autoencoder.AutoencodingEngine(
            regularizer_config={"target": "comfy.ldm.models.autoencoder.DiagonalGaussianRegularizer"},
            encoder_config={"target": f"{parts}.Encoder", "params": config},
            decoder_config={"target": f"{parts}.Decoder", "params": config})


def wan_vae(kind, dim, channels):
    with meta:
        return kind.WanVAE(dim=dim, z_dim=channels, dim_mult=[1, 2, 4, 4], num_res_blocks=2, attn_scales=[],
                           temperal_downsample=[False, True, True], dropout=0.0)


def sdxl_checkpoint(_):
    unet = diffusion_model(comfy.supported_models.SDXL, SDXL_UNET)
    texts = {f"{kind}.transformer.{name}": value
             for kind, file in (("clip_l", "sd1_clip_config.json"), ("clip_g", "clip_config_bigg.json"))
             for name, value in clip_text(file).state_dict().items()}
    saved = comfy.supported_models.SDXL(SDXL_UNET).process_clip_state_dict_for_saving(texts)
    return {**layout_of(unet, fp16, "model.diffusion_model."), **of_state(saved, fp16),
            **layout_of(picture_vae(4, True), fp16, "first_stage_model.")}


def flux_checkpoint(depth):
    unet = diffusion_model(comfy.supported_models.FluxSchnell,
                           {**FLUX, "depth": depth(19), "depth_single_blocks": depth(38)})
    return {**layout_of(unet, fp8, "model.diffusion_model."),
            **layout_of(clip_text("sd1_clip_config.json"), fp16, "text_encoders.clip_l.transformer."),
            **layout_of(t5("t5"), fp8, "text_encoders.t5xxl.transformer."),
            **layout_of(picture_vae(16, False), fp32, "vae.")}


def klein_model(depth):
    return diffusion_model(comfy.supported_models.Flux2,
                           {**FLUX2_KLEIN, "depth": depth(5), "depth_single_blocks": depth(20)})


def klein_vae(_):
    """Latents of 32 channels, of which four neighbours are one place, with the statistics of those."""
    layout = layout_of(picture_vae(32, True), fp32)
    return {**layout, "bn.running_mean": ((128,), fp32), "bn.running_var": ((128,), fp32),
            "bn.num_batches_tracked": ((), torch.int64)}


def qwen_model(depth):
    return diffusion_model(comfy.supported_models.QwenImage, {
        "image_model": "qwen_image", "in_channels": 64, "num_layers": depth(60), "num_attention_heads": 24})


def qwen_lora(depth):
    """Rank 64 on the linear layers of attention and MLP: 0.85 GB, as large as the real file."""
    return lora_of(qwen_model(depth), lambda name: ".attn." in name or "_mlp." in name)


def lora_of(model, is_changed, prefix=""):
    layout = {}
    for name, part in model.named_modules():
        if isinstance(part, torch.nn.Linear) and is_changed(name):
            layout[f"{prefix}{name}.lora_down.weight"] = ((64, part.in_features), bf16)
            layout[f"{prefix}{name}.lora_up.weight"] = ((part.out_features, 64), bf16)
            layout[f"{prefix}{name}.alpha"] = ((), bf16)
    return layout


def wan22_model(depth, in_dim=48):
    return diffusion_model(comfy.supported_models.WAN22_T2V, {
        **WAN, "model_type": "t2v", "dim": 3072, "in_dim": in_dim, "out_dim": 48, "num_heads": 24, "ffn_dim": 14336,
        "num_layers": depth(30)})


def wan22_inpaint_model(depth):
    """It is given 48 channels of noise, 4 that say which frames are known, and 48 of those frames."""
    return wan22_model(depth, 100)


def wan22_14b_model(depth):
    return diffusion_model(comfy.supported_models.WAN21_T2V, {
        **WAN, "model_type": "t2v", "dim": 5120, "in_dim": 36, "out_dim": 16, "num_heads": 40, "ffn_dim": 13824,
        "num_layers": depth(40)})


def wan22_14b_lora(depth):
    """Rank 64 on the linear layers of attention and MLP: 1.2 GB, as large as the real file."""
    return lora_of(wan22_14b_model(depth), lambda name: ".self_attn." in name or ".cross_attn." in name
                   or ".ffn." in name, "diffusion_model.")


def wan_first_last_model(depth):
    return diffusion_model(comfy.supported_models.WAN21_I2V, {
        **WAN, "model_type": "i2v", "dim": 5120, "in_dim": 36, "out_dim": 16, "num_heads": 40, "ffn_dim": 13824,
        "num_layers": depth(40), "flf_pos_embed_token_number": 514})


def ltx_checkpoint(depth):
    unet = diffusion_model(comfy.supported_models.LTXV, {
        "image_model": "ltxv", "num_layers": depth(28), "attention_head_dim": 64, "cross_attention_dim": 2048})
    with meta:
        vae = ltx_video.VideoVAE(version=2)
    return {**layout_of(unet, bf16, "model.diffusion_model."), **layout_of(vae, bf16, "vae.")}


@functools.cache
def ltx2_layout(blocks):
    """All linear layers of the blocks in eight bits with scales, but for the first four blocks and the last.

    With these types the file is as large as the real one."""
    # Older versions of ComfyUI have no LTX-2.
    from comfy.ldm.lightricks.vae.causal_audio_autoencoder import CausalAudioAutoencoder
    from comfy.ldm.lightricks.vocoders.vocoder import VocoderWithBWE
    unet = diffusion_model(comfy.supported_models.LTXAV,
                           {**LTX2["transformer"], "image_model": "ltxav", "num_layers": blocks})
    with meta:
        vae = ltx_video.VideoVAE(config=LTX2["vae"])
        audio_vae = CausalAudioAutoencoder(LTX2["audio_vae"])
        vocoder = VocoderWithBWE(LTX2["vocoder"])
    layout = {name: (shape, fp32 if "scale_shift_table" in name else dtype)
              for name, (shape, dtype) in layout_of(unet, bf16, "model.diffusion_model.").items()}
    in_eight_bits = {f"transformer_blocks.{i}" for i in range(4, blocks - 1)}
    for name, part in unet.named_modules():
        if isinstance(part, torch.nn.Linear) and ".".join(name.split(".")[:2]) in in_eight_bits:
            layer = f"model.diffusion_model.{name}"
            layout[f"{layer}.weight"] = (tuple(part.weight.shape), fp8)
            if knows_scales:
                layout[f"{layer}.weight_scale"] = layout[f"{layer}.input_scale"] = ((), fp32)
    for kind, width in (("video", 4096), ("audio", 2048)):
        # From the embedding and all 48 layers of the text encoder.
        layout[f"text_embedding_projection.{kind}_aggregate_embed.weight"] = ((width, 49 * 3840), bf16)
        layout[f"text_embedding_projection.{kind}_aggregate_embed.bias"] = ((width,), bf16)
    return {**layout, **layout_of(vae, bf16, "vae."), **layout_of(audio_vae, bf16, "audio_vae."),
            **layout_of(vocoder, bf16, "vocoder.")}


def ltx2_metadata(depth):
    config = {**LTX2, "transformer": {**LTX2["transformer"], "num_layers": depth(48)}}
    layers = {name.removesuffix(".weight_scale"): {"format": "float8_e4m3fn"}
              for name in ltx2_layout(depth(48)) if name.endswith(".weight_scale")}
    if not layers:
        return {"config": json.dumps(config)}
    return {"config": json.dumps(config), "_quantization_metadata": json.dumps({"layers": layers})}


def gemma(_):
    """302 linear layers in four bits, with a scale for 16 numbers and one for all, and 34 in eight.

    Which of them are in eight bits is a guess by which the file is as large as the real one. Without ComfyUI's package
    for these, all are in eight bits and nothing has a scale."""
    model = comfy.text_encoders.llama.Gemma3_12B({}, bf16, meta, operations)
    layout, formats = layout_of(model, bf16), {}
    for name, part in model.named_modules():
        if not isinstance(part, torch.nn.Linear) or not name.startswith("model.layers."):
            continue
        block, layer = int(name.split(".")[2]), name.split(".")[-1]
        go, come = part.weight.shape
        layout[f"{name}.weight"] = ((go, come), fp8)
        if not knows_scales:
            continue
        if block in (0, 47) or (block in (1, 2, 45, 46) and layer not in ("q_proj", "o_proj")):
            formats[name] = "float8_e4m3fn"
            layout[f"{name}.weight_scale"] = ((), fp32)
        else:
            formats[name] = "nvfp4"
            layout[f"{name}.weight"] = ((go, come // 2), torch.uint8)
            layout[f"{name}.weight_scale"] = ((go, come // 16), fp8)
            layout[f"{name}.weight_scale_2"] = ((), fp32)
    marks = {f"{name}.comfy_quant": torch.tensor(list(json.dumps({"format": said}).encode()), dtype=torch.uint8)
             for name, said in formats.items()}
    return {**spoken(layout, bos_id=2, unk_id=3), **marks}


def clip_vision(_):
    with open(f"{sources}/clip_vision_config_h.json") as config:
        return layout_of(comfy.clip_model.CLIPVisionModelProjection(json.load(config), fp16, meta, operations), fp16)


def control_net(_):
    """InstantID's ControlNet in the names of Diffusers."""
    config = {name: value for name, value in SDXL_UNET.items()
              if name not in ("out_channels", "transformer_depth_output")}
    own = comfy.cldm.cldm.ControlNet(**config, hint_channels=3, dtype=fp16, device=meta,
                                     operations=operations).state_dict()
    unet = {**SDXL_UNET, "transformer_depth": list(SDXL_UNET["transformer_depth"])}
    names = {ours: theirs for theirs, ours in comfy.utils.unet_to_diffusers(unet).items()}
    hints = max(int(name.split(".")[1]) for name in own if name.startswith("input_hint_block")) // 2
    for suffix in ("weight", "bias"):
        names[f"middle_block_out.0.{suffix}"] = f"controlnet_mid_block.{suffix}"
        for i in range(hints + 1):
            place = "conv_in" if i == 0 else "conv_out" if i == hints else f"blocks.{i - 1}"
            names[f"input_hint_block.{2 * i}.{suffix}"] = f"controlnet_cond_embedding.{place}.{suffix}"
        for i in range(9):
            names[f"zero_convs.{i}.0.{suffix}"] = f"controlnet_down_blocks.{i}.{suffix}"
    return {names[name]: (tuple(value.shape), fp16) for name, value in own.items()}


def upscaler(_):
    """Real-ESRGAN ×2: it sees four pixels at once, so 12 channels come in."""
    layout = {}

    def conv(name, come, go):
        layout[f"{name}.weight"], layout[f"{name}.bias"] = ((go, come, 3, 3), fp32), ((go,), fp32)

    conv("conv_first", 12, 64)
    for block in range(23):
        for dense in (1, 2, 3):
            for i in range(5):
                conv(f"body.{block}.rdb{dense}.conv{i + 1}", 64 + 32 * i, 32 if i < 4 else 64)
    for name in ("conv_body", "conv_up1", "conv_up2", "conv_hr"):
        conv(name, 64, 64)
    conv("conv_last", 64, 3)
    return layout


def instantid_adapter(_):
    """Two matrices for each attention of SDXL: the way down, the way up, the middle."""
    pack = sys.modules[nodes.NODE_CLASS_MAPPINGS["InstantIDModelLoader"].__module__]
    with meta:
        projection = pack.Resampler(dim=1280, depth=4, dim_head=64, heads=20, num_queries=16, embedding_dim=512,
                               output_dim=2048, ff_mult=4)
    widths = [640] * 4 + [1280] * 20 + [1280] * 30 + [640] * 6 + [1280] * 10
    adapter = {f"{2 * i + 1}.{part}.weight": ((width, 2048), fp16)
               for i, width in enumerate(widths) for part in ("to_k_ip", "to_v_ip")}
    return {"image_proj": numbers(layout_of(projection, fp16)), "ip_adapter": numbers(adapter)}


def photomaker(_):
    from comfy_extras.nodes_photomaker import PhotoMakerIDEncoder
    return {"id_encoder": numbers(layout_of(PhotoMakerIDEncoder(), fp16)), "lora_weights": {}}


def gfpgan(_):
    from r_chainner.archs.face.gfpganv1_clean_arch import GFPGANv1Clean

    class Unfilled(GFPGANv1Clean):
        def load_state_dict(self, state):
            pass

    return {"params_ema": Unfilled({}).state_dict()}


def spoken(layout, bos_id=-1, unk_id=2):
    """With a vocabulary of the tokenizer, which the files of UMT5 and Gemma hold: made of the words of this page."""
    import io
    import sentencepiece
    model = io.BytesIO()
    with open(__file__) as text:
        sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(text.read().splitlines()), model_writer=model,
                                                 vocab_size=300, pad_id=0, eos_id=1, unk_id=unk_id, bos_id=bos_id,
                                                 hard_vocab_limit=False, minloglevel=2)
    return {**numbers(layout), "spiece_model": torch.frombuffer(bytearray(model.getvalue()), dtype=torch.uint8)}


# The folder under models/ and what is in the file: its layout, or its numbers where they are not all noise.
FILES = {
    "sd_xl_base_1.0.safetensors": ("checkpoints", sdxl_checkpoint),
    "flux1-schnell-fp8.safetensors": ("checkpoints", flux_checkpoint),
    "ltx-video-2b-v0.9.5.safetensors": ("checkpoints", ltx_checkpoint),
    "ltx-2.3-22b-distilled-fp8.safetensors": ("checkpoints", lambda d: ltx2_layout(d(48))),
    "qwen_image_edit_2509_fp8_e4m3fn.safetensors": ("diffusion_models", lambda d: layout_of(qwen_model(d), fp8)),
    "qwen_image_edit_2509_fp8_e4m3fn_scaled.safetensors": ("diffusion_models", lambda d: scaled(qwen_model(d), bf16)),
    "qwen_image_edit_2511_fp8mixed.safetensors": ("diffusion_models", lambda d: scaled(qwen_model(d), bf16)),
    "flux-2-klein-4b-fp8.safetensors": ("diffusion_models", lambda d: layout_of(klein_model(d), fp8)),
    "wan2.2_i2v_high_noise_14B_fp8_scaled.safetensors": (
        "diffusion_models", lambda d: scaled(wan22_14b_model(d), fp16)),
    "wan2.2_i2v_low_noise_14B_fp8_scaled.safetensors": (
        "diffusion_models", lambda d: scaled(wan22_14b_model(d), fp16)),
    "wan2.2_ti2v_5B_fp16.safetensors": ("diffusion_models", lambda d: layout_of(wan22_model(d), fp16)),
    "wan2.2_fun_inpaint_5B_bf16.safetensors": ("diffusion_models", lambda d: layout_of(wan22_inpaint_model(d), bf16)),
    "wan2.1_flf2v_720p_14B_fp16.safetensors": (
        "diffusion_models", lambda d: layout_of(wan_first_last_model(d), fp16)),
    "Qwen-Image-Edit-2509-Lightning-8steps-V1.0-bf16.safetensors": ("loras", qwen_lora),
    "Qwen-Image-Edit-2511-Lightning-4steps-V1.0-bf16.safetensors": ("loras", qwen_lora),
    "wan2.2_i2v_lightx2v_4steps_lora_v1_high_noise.safetensors": ("loras", wan22_14b_lora),
    "wan2.2_i2v_lightx2v_4steps_lora_v1_low_noise.safetensors": ("loras", wan22_14b_lora),
    "qwen_3_4b.safetensors": (
        "text_encoders", lambda _: layout_of(comfy.text_encoders.llama.Qwen3_4B({}, bf16, meta, operations), bf16)),
    "qwen_2.5_vl_7b_fp8_scaled.safetensors": (
        "text_encoders",
        lambda _: scaled(comfy.text_encoders.llama.Qwen25_7BVLI({}, bf16, meta, operations), bf16)),
    "gemma_3_12B_it_fp4_mixed.safetensors": ("text_encoders", gemma),
    "umt5_xxl_fp8_e4m3fn_scaled.safetensors": ("text_encoders", lambda _: spoken(scaled(t5("umt5"), fp16))),
    "t5xxl_fp8_e4m3fn_scaled.safetensors": ("text_encoders", lambda _: scaled(t5("t5"), fp16)),
    "qwen_image_vae.safetensors": ("vae", lambda _: layout_of(wan_vae(comfy.ldm.wan.vae, 96, 16), bf16)),
    "wan_2.1_vae.safetensors": ("vae", lambda _: layout_of(wan_vae(comfy.ldm.wan.vae, 96, 16), bf16)),
    "wan2.2_vae.safetensors": ("vae", lambda _: layout_of(wan_vae(comfy.ldm.wan.vae2_2, 160, 48), bf16)),
    "flux2-vae.safetensors": ("vae", klein_vae),
    "clip_vision_h.safetensors": ("clip_vision", clip_vision),
    "diffusion_pytorch_model.safetensors": ("controlnet", control_net),
    "RealESRGAN_x2plus.pth": ("upscale_models", upscaler),
    "ip-adapter.bin": ("instantid", instantid_adapter),
    "photomaker-v1.bin": ("photomaker", photomaker),
    "GFPGANv1.4.pth": ("facerestore_models", gfpgan),
}
METADATA = {"ltx-2.3-22b-distilled-fp8.safetensors": ltx2_metadata}


def read(name, tiny):
    """What a file holds, and its metadata. With `tiny`, one block stands for each stack of equal ones."""
    def depth(blocks):
        return 1 if tiny else blocks

    found = FILES[name][1](depth)
    metadata = METADATA[name](depth) if name in METADATA else None
    return numbers(found) if isinstance(next(iter(found.values())), tuple) else found, metadata


def put_in_place(models):
    """Empty files of these names, for the lists that ComfyUI makes of its folders."""
    for name, (folder, _) in FILES.items():
        os.makedirs(os.path.join(models, folder), exist_ok=True)
        open(os.path.join(models, folder, name), "w").close()
