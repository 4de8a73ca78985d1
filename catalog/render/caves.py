"""Tunnels of rock or ice: a ring of points along a path, pushed in and out by noise."""

import math

import numpy as np

from noise import Perlin


def tunnel(stage, coat, half, tall, y, relief, rough=0.25, dimples=0.0, seed=3, rings=150, around=220, floor=None):
    """A vault from y[0] to y[1], its cross-section half metres to each side and tall metres high.

    relief(s) widens or narrows it along its length, s from 0 to 1; dimples are the shells that melting leaves in
    ice; floor flattens what lies lower.
    """
    noise = Perlin(seed)
    s, t = np.meshgrid(np.linspace(0, 1, rings), np.linspace(0, math.tau, around), indexing='ij')
    along = y[0] + (y[1] - y[0]) * s
    u, v = np.cos(t), np.sin(t)
    # noise in the plane, taken at two angles so that the ring closes without a seam
    def field(scale, octaves, shift):
        a = noise.cloud(u * scale * half + shift, along * scale + shift, octaves)
        b = noise.cloud(v * scale * tall + shift + 40, along * scale + shift, octaves)
        return a + b

    push = rough * (field(0.35, 6, 1.0) * 1.6 + field(1.1, 5, 7.0) * 0.7)
    if dimples:
        cells = noise.ridges(np.arctan2(v, u) * half * 0.62 * np.cos(0 * t), along * 0.62, 3)
        cells = np.where(np.abs(np.abs(t - math.pi) - math.pi) < 0.001, cells[:, :1], cells)
        push = push - dimples * cells * 0.5
    wide = relief(s)
    x = (half * wide + push) * np.sign(u) * np.abs(u) ** 0.85
    z = 1.2 + (tall / 2 * wide + push) * np.sign(v) * np.abs(v) ** 0.9 + (tall / 2 - 1.2) * 0.6
    if floor is not None:
        z = np.where(z < floor, floor + 0.10 * (z - floor) + 0.05 * noise.cloud(x * 1.2, along * 1.2, 5), z)
    return stage.sheet(x, along, z, coat)
