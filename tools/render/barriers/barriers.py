"""Renders what people stand behind in each scene, and names it in scene.json.

    python3 tools/render/barriers/barriers.py [--draft] [--out FOLDER] [scene ...]

Needs numpy and pillow, and nvcc (a GPU takes seconds a scene) or g++ (two cores take minutes). One strip is traced for a
scene, 1800 pixels wide, and cut to the three shapes: faces have about the same number of pixels in all of them.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import record  # noqa: E402

SCENES = HERE.parents[2] / "catalog/scenes"
SHAPES = {"portrait": (1200, 1800, 0.75), "landscape": (1800, 1200, 0.76), "square": (1280, 1280, 0.755)}
# The strip's row on which the top edge lies: that of the camera in trace.cpp.
EDGE = 40 / 170 * 2400 - 415
KINDS = "counter wall drift rock log cloth console board case hedge booth slat".split()

# kind, title, three colours (linear), three numbers: what they mean stands with each piece in pieces.h.
PIECES = {
    "alpine-lake": ("slat", "railing of a jetty", (.34, .3, .26), (.19, .165, .145), (0, 0, 0), (0, .1, 40)),
    "aurora": ("drift", "snowdrift", (.4, .41, .68), (.34, .36, .6), (.4, 1, 0), (0, .5, 2)),
    "ballroom": ("counter", "marble balustrade", (.72, .68, .62), (.34, .28, .22), (.66, .6, .52), (64, -1, 10)),
    "castle-terrace": ("wall", "stone parapet", (.36, .31, .25), (.17, .15, .13), (0, 0, 0), (0, .1, 0)),
    "cyber-lab": ("console", "control console", (.2, .22, .26), (.1, .95, 1), (1, .08, .6), (52, 1, 0)),
    "dunes-dusk": ("drift", "ridge of sand", (.6, .35, .18), (.52, .28, .14), (.12, 0, 0), (.5, .25, 5)),
    "funfair": ("booth", "counter of a booth", (.42, .03, .03), (.72, .6, .42), (.66, .5, .3), (11, 0, 0)),
    "great-hall": ("counter", "oak table", (.22, .1, .038), (.085, .035, .014), (0, 0, 0), (58, 0, 0)),
    "harbour-dusk": ("wall", "quay wall", (.22, .2, .19), (.1, .095, .1), (0, 0, 0), (0, .35, 33)),
    "ice-cave": ("drift", "bank of snow", (.18, .3, .46), (.12, .23, .38), (.4, 1, 0), (0, .5, 9)),
    "lantern-night": ("slat", "wooden railing", (.2, .11, .055), (.09, .05, .027), (0, 0, 0), (0, .3, 0)),
    "library": ("counter", "reading desk", (.2, .075, .028), (.085, .03, .012), (0, 0, 0), (52, 0, 20)),
    "nebula": ("console", "console of a ship", (.12, .12, .16), (.75, .25, 1), (1, .45, .6), (56, 1, 14)),
    "neon-street": ("counter", "counter of a bar", (.09, .06, .05), (.035, .022, .02), (1, .12, .42), (62, 0, 30)),
    "ocean-golden": ("drift", "dune of sand", (.76, .57, .5), (.66, .49, .43), (.2, 0, 0), (.05, .2, 12)),
    "red-carpet": ("cloth", "velvet barrier", (.2, .006, .009), (0, 0, 0), (0, 0, 0), (10, .5, 0)),
    "rooftop-night": ("hedge", "box hedge in a planter", (.1, .19, .04), (.22, .12, .06), (.11, .055, .028), (0, 0, 0)),
    "space-station": ("console", "console", (.55, .58, .61), (.55, .8, 1), (1, .6, .15), (60, 0, 0)),
    "speakeasy": ("counter", "bar with a brass rail", (.22, .07, .02), (.09, .024, .008), (0, 0, 0), (54, 1, 0)),
    "stadium": ("board", "perimeter board", (.02, .1, .75), (.15, .5, 1), (0, 0, 0), (0, 0, 20)),
    "stage-lights": ("case", "flight cases", (.022, .022, .026), (0, 0, 0), (0, 0, 0), (0, 0, 25)),
    "theatre-stage": ("cloth", "velvet balcony", (.2, .004, .005), (0, 0, 0), (0, 0, 0), (12, .5, 4)),
    "underwater": ("rock", "reef", (.02, .22, .37), (.01, .11, .2), (.02, .2, .3), (1.3, .6, 3)),
    "vintage-studio": ("cloth", "draped table", (.2, .16, .11), (0, 0, 0), (0, 0, 0), (13, .4, 9)),
    "winter-cabin": ("log", "wall of logs", (.34, .16, .06), (.17, .07, .026), (0, 0, 0), (0, 0, 0)),
}


def build(folder: pathlib.Path) -> pathlib.Path:
    program = folder / "trace"
    source = str(HERE / "trace.cpp")
    command = (
        ["nvcc", "-O3", "-use_fast_math", "-x", "cu", source] if shutil.which("nvcc")
        else ["g++", "-O3", "-fopenmp", source]
    )
    subprocess.run([*command, "-o", str(program)], check=True)
    return program


def linear(bytes_):
    value = bytes_ / 255.0
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def display(value):
    # The shoulder of the plates' film: highlights roll off from 0.6 on.
    value = np.where(value > 0.6, 0.6 + 0.4 * np.tanh((value - 0.6) / 0.4), value)
    return np.where(value <= 0.0031308, 12.92 * value, 1.055 * np.maximum(value, 1e-9) ** (1 / 2.4) - 0.055)


def numbers(name: str, scene: dict) -> str:
    plate = linear(np.asarray(Image.open(SCENES / name / scene["plates"]["landscape"]).convert("RGB"), dtype=float))
    rows = plate.shape[0]
    means = [part.reshape(-1, 3).mean(0) for part in (plate[: rows // 3], plate[rows // 3 : 2 * rows // 3], plate[-rows // 4 :])]
    light = scene["light"]
    x, y, z = light["direction"]
    kind, _, *colours, more = PIECES[name]
    parts = [(x, y, -z), light["color"], light["fill"], (light["key"],), *means, (KINDS.index(kind),), *colours, more]
    return "\n".join(" ".join(str(value) for value in part) for part in parts)


def trace(program, name, scene, width, samples):
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run([str(program), file.name, str(width), str(samples)], input=numbers(name, scene), text=True, check=True)
        return np.fromfile(file.name, dtype=np.float32).reshape(-1, width, 4)


def cut(strip, shape):
    width, height, edge = SHAPES[shape]
    top = round(edge * height - EDGE)
    left = (1800 - width) // 2
    whole = np.zeros((height, width, 4), dtype=np.float32)
    part = strip[: height - top, left : left + width]
    whole[top : top + part.shape[0]] = part
    alpha = np.clip(whole[..., 3:], 0, 1)
    colour = display(whole[..., :3] / np.maximum(alpha, 1 / 512))
    noise = np.random.default_rng(7).normal(0, 0.006, (height, width, 1))
    colour = np.clip(colour + noise, 0, 1)
    return Image.fromarray((np.concatenate([colour, alpha], -1) * 255 + 0.5).astype(np.uint8), "RGBA")


def name_in_scene(path, scene, title):
    """The barrier stands before the light, after the other pictures."""
    barrier = {"name": title, **{shape: f"{shape}-barrier.webp" for shape in SHAPES}}
    fields = {}
    for field, value in scene.items():
        if field == "light":
            fields["barrier"] = barrier
        if field != "barrier":
            fields[field] = value
    record.write(path, fields)


def main() -> None:
    arguments = sys.argv[1:]
    draft = "--draft" in arguments
    out = pathlib.Path(arguments[arguments.index("--out") + 1]) if "--out" in arguments else None
    wanted = [name for name in PIECES if name in arguments] or list(PIECES)
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder))
        for name in wanted:
            path = SCENES / name / "scene.json"
            scene = json.loads(path.read_text())
            strip = trace(program, name, scene, 1800, 16 if draft else 225)
            for shape in SHAPES:
                target = (out / name if out else SCENES / name) / f"{shape}-barrier.webp"
                target.parent.mkdir(parents=True, exist_ok=True)
                cut(strip, shape).save(target, quality=78, alpha_quality=90, method=4)
            if not out:
                name_in_scene(path, scene, PIECES[name][1])
            print(name, flush=True)


if __name__ == "__main__":
    main()
