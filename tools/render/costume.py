"""A costume: three pictures with alpha on one canvas.

The back goes behind the head, the liner over the neck, the front over both.
"""

import json

import cv2
import numpy as np
from PIL import Image

import record
from denoise import denoise
from develop import Grade, enlarge, film, to_srgb
from figure import CHIN, FACE

LAYERS = ('back', 'liner', 'front')  # a costume's LAYERS may leave the liner out


BUILD = {'woman': 1.06, 'boy': 1.2, 'girl': 1.22}  # how large a head is for its body, beside a man's


def develop_layer(folder, grade: Grade, weights, width, height):
    """One traced layer as 8-bit RGBA: denoised, graded, and with colour carried under its soft edge."""
    passes = {name: np.load(folder / f'{name}.npy') for name in ('colour', 'albedo', 'normal')}
    traced = passes['colour'][..., 3].clip(0, 1)
    alpha = cv2.resize(traced, (width, height), interpolation=cv2.INTER_CUBIC).clip(0, 1)
    clean = np.zeros_like(passes['colour'][..., :3])
    seen = _bounds(traced, 24)
    clean[seen] = denoise(*(passes[name][..., :3][seen] for name in passes), weights)
    clean = enlarge(clean, width, height) / np.maximum(alpha, 0.02)[..., None]
    solid = alpha > 0.98
    light = (
        np.where(solid[..., None], clean, _carried(clean, alpha))
        * 2.0**grade.exposure
        * np.array(grade.balance)
    )
    display = to_srgb(film(light, grade.contrast, grade.saturation)).astype(np.float32)
    display += 0.35 * (display - cv2.GaussianBlur(display, (0, 0), 1.3))
    picture = np.concatenate([display.clip(0, 1), alpha[..., None]], -1)
    return Image.fromarray((picture * 255 + 0.5).astype(np.uint8), 'RGBA')


def _bounds(alpha, margin):
    """The part of the layer that has something in it, as slices."""
    slices = []
    for axis in (1, 0):
        filled = np.flatnonzero(alpha.max(axis) > 0)
        slices.append(slice(max(0, filled[0] - margin), filled[-1] + 1 + margin))
    return tuple(slices)


def _carried(colour, alpha):
    """The colour of what is nearly solid, carried outwards: a soft edge has none of its own that can be trusted."""
    weight = alpha**3
    result = np.zeros_like(colour)
    for reach in (24, 8, 3):
        share = cv2.GaussianBlur(weight, (0, 0), reach)
        spread = (
            cv2.GaussianBlur(colour * weight[..., None], (0, 0), reach) / np.maximum(share, 1e-6)[..., None]
        )
        trust = np.clip(share / 0.02, 0, 1)[..., None]
        result += (spread - result) * trust
    return result


def describe(costume, layers, folder):
    described = dict(costume.COSTUME)
    described['layers'] = {layer: f'{layer}.webp' for layer in layers}
    described['head'] = {'chin': list(CHIN), 'faceHeight': FACE}
    described['variants'] = {
        wearer: {'head': {'chin': list(CHIN), 'faceHeight': round(FACE * share)}}
        for wearer, share in BUILD.items()
    }
    # What is said of it in words is written by hand.
    known = folder / 'costume.json'
    if known.exists():
        before = json.loads(known.read_text())
        described |= {field: before[field] for field in ('tags', 'shows', 'description', 'words') if field in before}
    order = (
        *('title', 'tags', 'shows', 'description', 'layers', 'hooded', 'head', 'opening', 'variants'),
        *('words', 'light', 'scenes'),
    )
    record.write(folder / 'costume.json', {field: described[field] for field in order if field in described})
