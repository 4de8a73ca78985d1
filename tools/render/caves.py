"""Tunnels of rock or ice: a ring of points along a path, pushed in and out by noise."""

import math

import numpy as np

from noise import Perlin


def tunnel(
    stage, coat, half, tall, y, relief, rough=0.25, dimples=0.0, seed=3, rings=150, around=220, floor=None
):
    """A vault from y[0] to y[1], its cross-section half metres to each side and tall metres high.

    relief(s) widens or narrows it along its length, s from 0 to 1; dimples is the depth of the shells that
    melting leaves in ice; floor flattens what lies lower.
    """
    noise = Perlin(seed)
    turn = np.linspace(-math.pi / 2, 1.5 * math.pi, around)  # closes under the floor, where nobody sees it
    s, t = np.meshgrid(np.linspace(0, 1, rings), turn, indexing='ij')
    along = y[0] + (y[1] - y[0]) * s
    u, v = np.cos(t), np.sin(t)

    def field(scale, octaves, shift):
        """Noise along the sine and the cosine, so that the ring closes without a seam."""
        a = noise.cloud(u * scale * half + shift, along * scale + shift, octaves)
        b = noise.cloud(v * scale * tall + shift + 40, along * scale + shift, octaves)
        return a + b

    push = rough * (field(0.35, 6, 1.0) * 1.6 + field(1.1, 5, 7.0) * 0.7)
    if dimples:
        cells = round(math.tau * half * 0.85)
        push = push + dimples * (0.35 - scallops(t / math.tau * cells, along, cells, seed) ** 2)
    wide = relief(s)
    x = (half * wide + push) * np.sign(u) * np.abs(u) ** 0.85
    z = 1.2 + (tall / 2 * wide + push) * np.sign(v) * np.abs(v) ** 0.9 + (tall / 2 - 1.2) * 0.6
    if floor is not None:
        z = np.where(z < floor, floor + 0.10 * (z - floor) + 0.05 * noise.cloud(x * 1.2, along * 1.2, 5), z)
    return stage.sheet(x, along, z, coat)


def scallops(u, v, around, seed, size=1.0):
    """Distance to the nearest of scattered points, 0 to about 1; u repeats after `around` cells."""
    chance = np.random.default_rng(seed)
    shift = chance.uniform(0.1, 0.9, (around, 256, 2))
    column, row = np.floor(u / size).astype(int), np.floor(v / size).astype(int)
    nearest = np.full(u.shape, 9.0)
    for i in (-1, 0, 1):
        for j in (-1, 0, 1):
            at = shift[(column + i) % around, (row + j) % 256]
            away = np.hypot(column + i + at[..., 0] - u / size, row + j + at[..., 1] - v / size)
            nearest = np.minimum(nearest, away)
    return nearest
