"""Noise fields in numpy: for painting, and for shaping terrain inside Blender."""

import numpy as np


class Perlin:
    """Gradient noise in the plane, from a seed."""

    def __init__(self, seed):
        chance = np.random.default_rng(seed)
        self.order = chance.permutation(512)
        angle = chance.uniform(0, 2 * np.pi, 512)
        self.slopes = np.stack([np.cos(angle), np.sin(angle)], -1)

    def at(self, x, y):
        column, row = np.floor(x).astype(int), np.floor(y).astype(int)
        dx, dy = x - column, y - row
        ease_x, ease_y = (t * t * t * (t * (t * 6 - 15) + 10) for t in (dx, dy))

        def corner(i, j):
            slope = self.slopes[self.order[(self.order[(column + i) % 512] + row + j) % 512]]
            return slope[..., 0] * (dx - i) + slope[..., 1] * (dy - j)

        top = corner(0, 0) * (1 - ease_x) + corner(1, 0) * ease_x
        bottom = corner(0, 1) * (1 - ease_x) + corner(1, 1) * ease_x
        return top * (1 - ease_y) + bottom * ease_y

    def cloud(self, x, y, octaves=6, gain=0.5):
        """Fractal sum; every octave is turned, so that no lattice direction shows."""
        total, strength = 0.0, 0.5
        for _ in range(octaves):
            total = total + self.at(x, y) * strength
            x, y = 1.62 * x - 1.21 * y + 5.3, 1.21 * x + 1.62 * y + 9.1
            strength *= gain
        return total

    def ridges(self, x, y, octaves=9, gain=0.5):
        """Sharp crests that carry finer crests, as eroded rock does."""
        total, strength, weight = 0.0, 1.0, 1.0
        for _ in range(octaves):
            crest = (1 - np.abs(self.at(x, y)) * 1.7) ** 2 * weight
            weight = np.clip(crest * 1.6, 0, 1)
            total = total + crest * strength
            x, y = 1.95 * x - 0.6 * y + 3.1, 1.95 * y + 0.6 * x + 1.7
            strength *= gain
        return total


def smooth(low, high, value):
    t = np.clip((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def tile(size, seed, falloff, widest=1.0, finest=1000.0):
    """A square of noise that repeats without a seam, mean 0, deviation 1.

    Falloff is how fast fine detail fades; waves per tile run from 1 / widest to finest.
    """
    chance = np.random.default_rng(seed)
    wave = np.fft.fftfreq(size) * size
    k = np.hypot(*np.meshgrid(wave, wave))
    strength = np.where(k >= 1 / widest, np.maximum(k, 1) ** -falloff, 0) * np.exp(
        -((k / min(finest, size / 3)) ** 2)
    )
    phases = chance.normal(size=k.shape) + 1j * chance.normal(size=k.shape)
    field = np.fft.ifft2(strength * phases).real
    return ((field - field.mean()) / field.std()).astype(np.float32)
