"""A costume: three pictures with alpha on one canvas.

The back goes behind the head, the liner over the neck, the front over both.
"""

import cv2
import numpy as np
from PIL import Image

import record
from denoise import denoise
from develop import Grade, enlarge, film, to_srgb
from figure import CHIN, FACE

LAYERS = ('back', 'liner', 'front')


def develop_layer(folder, grade: Grade, weights, width, height):
    """One traced layer as 8-bit RGBA: denoised, graded, and with colour carried under its soft edge."""
    passes = {name: np.load(folder / f'{name}.npy') for name in ('colour', 'albedo', 'normal')}
    alpha = cv2.resize(
        passes['colour'][..., 3].clip(0, 1), (width, height), interpolation=cv2.INTER_CUBIC
    ).clip(0, 1)
    clean = denoise(*(passes[name][..., :3] for name in passes), weights)
    clean = enlarge(clean, width, height) / np.maximum(alpha, 0.02)[..., None]
    solid = (alpha > 0.98).astype(np.float32)
    spread = (
        cv2.GaussianBlur(clean * solid[..., None], (0, 0), 3)
        / np.maximum(cv2.GaussianBlur(solid, (0, 0), 3), 1e-3)[..., None]
    )
    light = np.where(solid[..., None] > 0, clean, spread) * 2.0**grade.exposure * np.array(grade.balance)
    display = to_srgb(film(light, grade.contrast, grade.saturation)).astype(np.float32)
    display += 0.35 * (display - cv2.GaussianBlur(display, (0, 0), 1.3))
    picture = np.concatenate([display.clip(0, 1), alpha[..., None]], -1)
    return Image.fromarray((picture * 255 + 0.5).astype(np.uint8), 'RGBA')


def describe(costume, folder):
    described = dict(costume.COSTUME)
    described['layers'] = {layer: f'{layer}.webp' for layer in LAYERS}
    described['head'] = {'chin': list(CHIN), 'faceHeight': FACE}
    order = ('title', 'tags', 'layers', 'head', 'opening', 'light', 'scenes')
    record.write(folder / 'costume.json', {field: described[field] for field in order})
