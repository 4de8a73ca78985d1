"""What lies underfoot, drawn at the plate's own size: a trace at half the size has no detail there."""

import numpy as np

from camera import SENSOR
from develop import lens_blur
from noise import Perlin


def seen(camera, width, height):
    """Where each pixel's ray meets the ground, x and y in metres, and how far away; far behind the horizon."""
    rays = camera.rays(width, height)
    away = np.where(rays[..., 2] < -1e-3, -camera.eye[2] / np.minimum(rays[..., 2], -1e-3), 1e6)
    return camera.eye[0] + rays[..., 0] * away, camera.eye[1] + rays[..., 1] * away, away


def is_ground(camera, depth, tolerance=0.06):
    """Where the depth is that of the level ground."""
    _, _, away = seen(camera, depth.shape[1], depth.shape[0])
    return np.abs(depth / away - 1) < tolerance


def setts(x, y, wide, deep, seed=1):
    """Paving stones in rows: 0 in the joints to 1 on a stone's crown, and a number of each stone's own."""
    row = np.floor(y / deep)
    shift = row % 2 * 0.5 + 0.18 * np.sin(row * 12.9898 + seed)
    column = np.floor(x / wide + shift)
    across, along = x / wide + shift - column - 0.5, y / deep - row - 0.5
    own = np.modf(np.abs(np.sin(row * 127.1 + column * 311.7 + seed) * 43758.5453))[0]
    edge = np.minimum((0.5 - np.abs(across)) * wide, (0.5 - np.abs(along)) * deep)
    return np.clip(edge / (0.18 * deep), 0, 1) ** 0.6, own


def rough(linear, camera, depth, lens, grain=0.012, amount=0.5, seed=5):
    """The picture with the ground's own grain in it: rubber, carpet, snow, of grains so many metres wide."""
    height, width = linear.shape[:2]
    x, y, away = seen(camera, width, height)
    noise = Perlin(seed).cloud(x / grain, y / grain, 2) + 0.5 * Perlin(seed + 1).cloud(
        x / grain / 7, y / grain / 7, 3
    )
    fine = np.clip(1.5 - _footprint(camera, away, width) / grain / 1.5, 0, 1)
    return linear * _in_focus(1 + amount * noise * fine, depth, away, lens)


def paved(linear, camera, depth, lens, wide=0.17, deep=0.12, joints=0.62, uneven=0.35):
    """The picture with paving stones drawn into what is ground in it, in and out of focus as the rest."""
    height, width = linear.shape[:2]
    x, y, away = seen(camera, width, height)
    crown, own = setts(x, y, wide, deep)
    grit = Perlin(7).cloud(x * 40, y * 40, 3)
    tone = (1 - joints * (1 - crown)) * (1 + uneven * (own - 0.5)) * (1 + 0.25 * grit)
    fine = np.clip(1.5 - _footprint(camera, away, width) / deep * 2.5, 0, 1)
    return linear * _in_focus(1 + (tone - 1) * fine, depth, away, lens)


def _footprint(camera, away, width):
    """How many metres of ground lie behind one pixel, along the line of sight."""
    return away**2 / (camera.eye[2] * camera.lens / SENSOR * width)


def _in_focus(tone, depth, away, lens):
    ground = np.abs(depth / away - 1) < 0.06
    tone = np.where(ground, tone, 1).astype(np.float32)
    return lens_blur(np.repeat(tone[..., None], 3, 2), depth, lens)
