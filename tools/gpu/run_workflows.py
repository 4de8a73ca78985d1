"""Runs the reference workflows on a GPU, from the photo to the saved file, without their weights.

    npm run tool -- tools/gpu/write-prompts.ts PROMPTS
    python3 tools/gpu/run_workflows.py COMFYUI PROMPTS [--only NAME ...] [--cards] [--first] [--tiny] [--triton]
        [--unpinned] [--out FILE]

COMFYUI is a folder with ComfyUI's sources and, under custom_nodes, the node packs; PROMPTS holds what Guise sends.
Their Python packages must be there, but for those below that they only import: InsightFace, OpenCV, ONNX and ONNX
Runtime are used by the packs, PyAV and Spandrel where they are there. ComfyUI's own executor runs each prompt with ComfyUI's and the packs' own nodes. Files
of weights hold random numbers (random_weights.py, random_faces.py): what comes out is noise, what it costs is real, but
for reading them from disk.

Each workflow runs once after everything was unloaded, then once for each of its durations as the next job: loaders keep
what they have, and photos, words and seed differ. --first leaves out the second. --cards makes the GPU, for each
workflow, one of as much memory as its file says it needs: more cannot be taken, and ComfyUI makes room as on such a
card, for the longest duration. --tiny checks the script on a CPU, but for InstantID and LTX-2.3: one block of each
stack, small pictures, two steps. --triton takes what comfy_kitchen has in Triton, where its compiled part is not there.
--unpinned leaves main memory unpinned, for small cards: the random numbers of several tensors lie in the same place,
which CUDA does not pin twice.
"""
import argparse
import asyncio
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time
import traceback
from unittest.mock import MagicMock

parser = argparse.ArgumentParser()
parser.add_argument("comfyui")
parser.add_argument("prompts")
parser.add_argument("--only", nargs="*")
parser.add_argument("--cards", action="store_true")
parser.add_argument("--first", action="store_true")
parser.add_argument("--tiny", action="store_true")
parser.add_argument("--triton", action="store_true")
parser.add_argument("--unpinned", action="store_true")
parser.add_argument("--seconds", type=float, default=1e9)
parser.add_argument("--out")
parser.add_argument("--keep", help="a folder for what the workflows save")
options = parser.parse_args()
began = time.monotonic()

# What ComfyUI and the packs import and the reference workflows never call.
UNUSED = {"torchsde", "kornia", "pydantic", "pydantic_settings", "alembic", "sqlalchemy", "segment_anything",
          "ultralytics", "albumentations", "lmdb", "comfy_aimdo", "torchaudio"}
# Without PyAV the frames of videos are saved one by one; without Spandrel pictures are enlarged without Real-ESRGAN.
has_av = importlib.util.find_spec("av") is not None
has_spandrel = importlib.util.find_spec("spandrel") is not None
UNUSED |= {name for name in ("av", "spandrel") if importlib.util.find_spec(name) is None}
stood_in = {}


class Missing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] not in UNUSED:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__ = []
        module.__version__ = "9.9.9"
        stood_in[spec.name] = module
        return module

    def exec_module(self, module):
        pass


# It looks for optional packages when it is imported, and would find those that only seem to be there.
from transformers import pipeline  # noqa: F401

sys.meta_path.append(Missing())

base = tempfile.mkdtemp(prefix="comfyui-")
models = os.path.join(base, "models")
shutil.copytree(os.path.join(options.comfyui, "custom_nodes"), os.path.join(base, "custom_nodes"))
shutil.copytree(os.path.join(options.prompts, "input"), os.path.join(base, "input"))
sys.path.insert(0, os.path.abspath(options.comfyui))
sys.argv = ["main.py", "--base-directory", base, "--disable-api-nodes", "--disable-metadata"]
if options.triton:
    sys.argv.append("--enable-triton-backend")
if options.unpinned:
    sys.argv.append("--disable-pinned-memory")
if options.tiny:
    sys.argv += ["--cpu", "--bf16-unet", "--bf16-vae", "--bf16-text-enc"]

import av
import torch

import comfy.options

comfy.options.enable_args_parsing()

import comfy.utils
# As main.py does: nodes.py puts a folder in front that has another module of this name.
import utils.extra_config  # noqa: F401

load_torch_file = comfy.utils.load_torch_file


def load_random_file(path, *rest, return_metadata=False, **named):
    name = os.path.basename(path)
    if name not in random_weights.FILES:
        return load_torch_file(path, *rest, return_metadata=return_metadata, **named)
    found, metadata = random_weights.read(name, options.tiny)
    if len(found) == 1:
        found = next(iter(found.values()))
    return (found, metadata) if return_metadata else found


comfy.utils.load_torch_file = load_random_file

import comfy.model_management
import execution
import nodes
from PIL import Image, ImageOps

import random_faces
import random_weights

on_gpu = comfy.model_management.get_torch_device().type == "cuda"


class Server:
    """In place of ComfyUI's own: notes when each node begins."""
    client_id = "guise"
    last_node_id = None
    last_prompt_id = None
    sockets_metadata = {}

    def __init__(self):
        self.begun = []

    def send_sync(self, event, data, sid=None):
        if event == "executing" and data.get("node"):
            self.begun.append((data["node"], now()))


def now():
    if on_gpu:
        torch.cuda.synchronize()
    return time.monotonic()


def use_card(gigabytes):
    """Leaves so much of the GPU, less what a process takes for itself."""
    card = int((gigabytes - 0.5) * 2**30)
    torch.cuda.set_per_process_memory_fraction(card / torch.cuda.get_device_properties(0).total_memory)
    torch.cuda.mem_get_info = lambda device=None: (card - torch.cuda.memory_reserved(), card)


def forget():
    """As after a start: no weights in memory."""
    comfy.model_management.unload_all_models()
    gc.collect()
    comfy.model_management.soft_empty_cache()


def as_next_job(prompt, turn):
    """The same with other photos (mirrored every other time), words and seed."""
    prompt = json.loads(json.dumps(prompt))
    for node in prompt.values():
        inputs = node["inputs"]
        for name in ("text", "prompt"):
            if isinstance(inputs.get(name), str):
                inputs[name] += f" {turn}"
        for name in ("seed", "noise_seed"):
            if name in inputs:
                inputs[name] += turn
        if node["class_type"] == "LoadImage":
            other = f"{os.path.splitext(inputs['image'])[0]}-{turn}.png"
            photo = Image.open(os.path.join(base, "input", inputs["image"]))
            if options.tiny:
                photo.thumbnail((128, 128))
            (ImageOps.mirror(photo) if turn % 2 else photo).save(os.path.join(base, "input", other))
            inputs["image"] = other
        if options.tiny:
            shrink(inputs)
    if not has_spandrel:
        enlarge_plainly(prompt)
    return prompt if has_av else with_single_frames(prompt)


def load_picture(_, image):
    """What LoadImage does, which in newer versions reads pictures with PyAV too."""
    with Image.open(os.path.join(base, "input", image)) as photo:
        pixels = torch.frombuffer(bytearray(photo.convert("RGB").tobytes()), dtype=torch.uint8)
        pixels = pixels.view(1, photo.height, photo.width, 3).float() / 255
    return pixels, torch.zeros((1, 64, 64))


def do_without_packages():
    """ComfyUI's own rotation of positions in place of that of comfy_kitchen, and pictures read without PyAV.

    LTX-2 is then given its frames as they are, not compressed as a frame of a video first."""
    import types
    import comfy.ldm.flux.math as positions
    import comfy.quant_ops
    if not getattr(comfy.quant_ops, "_CK_AVAILABLE", True):
        comfy.quant_ops.ck = types.SimpleNamespace(apply_rope=positions._apply_rope,
                                                   apply_rope1=positions._apply_rope1)
    if not has_av:
        nodes.LoadImage.load_image = load_picture
        if "LTXVPreprocess" in nodes.NODE_CLASS_MAPPINGS:
            ltx = sys.modules[nodes.NODE_CLASS_MAPPINGS["LTXVPreprocess"].__module__]
            ltx.preprocess = lambda picture, compression: picture


def enlarge_plainly(prompt):
    """Twice as large by interpolation, where Real-ESRGAN would do that: its time is not in the figures then."""
    loaders = set()
    for node in prompt.values():
        if node["class_type"] == "ImageUpscaleWithModel":
            loaders.add(node["inputs"]["upscale_model"][0])
            node.update(class_type="ImageScaleBy",
                        inputs={"image": node["inputs"]["image"], "upscale_method": "lanczos", "scale_by": 2.0})
    for name in loaders:
        del prompt[name]


def with_single_frames(prompt):
    """Saves the pictures that a video would be made of. Its sound is made, and not saved."""
    sounds = {}
    for name, node in prompt.items():
        if node["class_type"] == "SaveVideo":
            video = prompt[node["inputs"]["video"][0]]["inputs"]
            node.update(class_type="SaveImage", inputs={"images": video["images"], "filename_prefix": "guise"})
            if "audio" in video:
                sounds[f"{name}-sound"] = {"class_type": "PreviewAny", "inputs": {"source": video["audio"]}}
    return {**prompt, **sounds}


def without_repeats(cases):
    """Of durations for which the model is asked the same, the first."""
    seen = {}
    for case in cases:
        asked = [[node["class_type"], {name: value for name, value in node["inputs"].items()
                                       if name not in ("image", "filename_prefix", "seed", "noise_seed")}]
                 for node in case["prompt"].values()]
        seen.setdefault(json.dumps(asked), case)
    return list(seen.values())


def shrink(inputs):
    for name, most in (("width", 128), ("height", 128), ("length", 9), ("frames_number", 9), ("steps", 2)):
        if isinstance(inputs.get(name), int):
            inputs[name] = min(inputs[name], most)


def shrink_text_encoders():
    import comfy.text_encoders.llama
    import comfy.text_encoders.t5
    for kind, depth in ((comfy.text_encoders.t5.T5, "num_layers"),
                        (comfy.text_encoders.llama.Qwen25_7BVLI, "num_hidden_layers"),
                        (comfy.text_encoders.llama.Qwen3_4B, "num_hidden_layers")):
        def make(self, config, dtype, device, operations, begin=kind.__init__, depth=depth):
            # Files keep all blocks, by which they are recognised: those beyond the first are left over.
            begin(self, config if device == random_weights.meta else {**config, depth: 1}, dtype, device, operations)
        kind.__init__ = make


def saved_file(results, output):
    for group in results["outputs"].get(output, {}).values():
        for entry in group:
            if isinstance(entry, dict) and "filename" in entry:
                return os.path.join(base, "output", entry["subfolder"], entry["filename"])
    return None


def describe(path):
    size = os.path.getsize(path)
    if path.endswith(".png"):
        with Image.open(path) as picture:
            pixels = picture.convert("L")
            low, high = pixels.getextrema()
            return f"{picture.width}×{picture.height}, values {low} to {high}, {size / 1e6:.1f} MB"
    with av.open(path) as video:
        stream = video.streams.video[0]
        frames = sum(1 for _ in video.decode(stream))
        return f"{stream.width}×{stream.height}, {frames} frames, {stream.average_rate} a second, {size / 1e6:.1f} MB"


def run(executor, server, case, prompt, kind):
    """One prompt, timed: the whole and each node."""
    server.begun.clear()
    if on_gpu:
        torch.cuda.reset_peak_memory_stats()
    name = f"{case['workflow']}-{case['duration'] or 'picture'}-{kind}"
    valid, error, outputs, node_errors = asyncio.run(execution.validate_prompt(name, prompt, None))
    if not valid:
        raise RuntimeError(f"refused: {error} {node_errors}")
    start = now()
    executor.execute(prompt, name, {"client_id": "guise"}, outputs)
    end = now()
    if not executor.success:
        said = [data for event, data in executor.status_messages if event == "execution_error"]
        at = said[-1]
        raise RuntimeError(f"{at['node_type']}: {at['exception_message']}\n{''.join(at['traceback'])}")
    seconds = {}
    for (node, since), (_, until) in zip(server.begun, [*server.begun[1:], (None, end)]):
        key = f"{node} {prompt[node]['class_type']}"
        seconds[key] = round(seconds.get(key, 0) + until - since, 3)
    path = saved_file(executor.history_result, case["output"])
    if path is None or not os.path.exists(path):
        raise RuntimeError("it left no file")
    row = {"workflow": case["workflow"], "family": case["family"], "duration": case["duration"], "run": kind,
           "card_gb": case["vram_gb"] if options.cards else None, "seconds": round(end - start, 2), "limit_seconds": case["limit_seconds"],
           "within_limit": end - start < case["limit_seconds"], "saved": describe(path), "nodes": seconds}
    if on_gpu:
        row["allocated_gb"] = round(torch.cuda.max_memory_allocated() / 1e9, 2)
        row["reserved_gb"] = round(torch.cuda.max_memory_reserved() / 1e9, 2)
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        shutil.copy(path, os.path.join(options.keep, f"{name}{os.path.splitext(path)[1]}"))
    return row


def prepare_files(used):
    random_weights.put_in_place(models)
    if "face-swap-instantid" in used:
        random_faces.write_instantid_faces(models)
    if "face-swap-template-reactor" in used:
        random_faces.write_swapper_files(models)
    # The lists of files are made when packs are imported.
    asyncio.run(nodes.init_extra_nodes(init_api_nodes=False))
    if "face-swap-template-reactor" in used:
        random_faces.write_restorer_files(models)


def main():
    with open(os.path.join(options.prompts, "prompts.json")) as file:
        cases = json.load(file)
    cases = [case for case in cases if not options.only or case["workflow"] in options.only]
    used = list(dict.fromkeys(case["workflow"] for case in cases))
    if options.only:
        used.sort(key=options.only.index)
    prepare_files(used)
    do_without_packages()
    if options.tiny:
        shrink_text_encoders()
    for module in stood_in.values():
        module.reset_mock()
    absent = sorted({name.split(".")[0] for name in stood_in})
    device = torch.cuda.get_device_name(0) if on_gpu else "CPU"
    print(f"{device}, PyTorch {torch.__version__}, ready after {time.monotonic() - began:.0f} s; "
          f"imported, but not there: {', '.join(absent)}", flush=True)
    rows, failed = [], 0
    for workflow in used:
        server = Server()
        executor = execution.PromptExecutor(server, cache_type=execution.CacheType.CLASSIC,
                                            cache_args={"lru": 0, "ram": 0, "ram_inactive": 0})
        forget()
        own = without_repeats(case for case in cases if case["workflow"] == workflow)
        if options.cards:
            use_card(own[0]["vram_gb"])
        turns = [(own[-1 if options.cards else 0], "first")] + ([] if options.first else [(case, "next") for case in own])
        for turn, (case, kind) in enumerate(turns):
            what = f"{workflow} {case['duration'] or ''} {kind}"
            if time.monotonic() - began > options.seconds:
                print(f"{what}: not run, no time left", flush=True)
                continue
            graph = as_next_job(case["prompt"], turn)
            try:
                row = run(executor, server, case, graph, kind)
            except Exception as error:
                failed += 1
                print(f"{what}: failed: {error}", flush=True)
                traceback.print_exc()
                rows.append({"workflow": workflow, "duration": case["duration"], "run": kind, "error": str(error)})
                continue
            rows.append(row)
            memory = f", {row['allocated_gb']} GB taken, {row['reserved_gb']} GB reserved" if on_gpu else ""
            slowest = sorted(row["nodes"].items(), key=lambda item: -item[1])[:5]
            print(f"{what}: {row['seconds']} s{memory}; {row['saved']}; "
                  + ", ".join(f"{node} {seconds:.1f}" for node, seconds in slowest), flush=True)
            if options.out:
                with open(options.out, "w") as file:
                    found = {"device": device, "torch": torch.__version__, "absent": absent, "rows": rows}
                    json.dump(found, file, indent=1, ensure_ascii=False)
        del executor
    called = [name for name, module in stood_in.items() if module.mock_calls]
    print(f"{time.monotonic() - began:.0f} s in all, {failed} failed"
          + (f"; called, but not there: {', '.join(called)}" if called else ""), flush=True)
    shutil.rmtree(base)
    return 1 if failed or called else 0


sys.exit(main())
