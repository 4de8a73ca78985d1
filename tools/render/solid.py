"""Shapes as signed distances on a grid: soft volumes that join smoothly, turned into a mesh at the end."""

import numpy as np
from scipy.ndimage import gaussian_filter
from skimage.measure import marching_cubes


class Volume:
    """A box of space in metres, sampled at a step."""

    def __init__(self, low, high, step, seed):
        self.low, self.step = np.array(low), step
        axes = [np.arange(a, b, step, dtype=np.float32) for a, b in zip(low, high)]
        self.x, self.y, self.z = np.meshgrid(*axes, indexing='ij')
        self.chance = np.random.default_rng(seed)

    def ellipsoid(self, centre, radii):
        parts = ((axis - c) / r for axis, c, r in zip((self.x, self.y, self.z), centre, radii))
        return (np.sqrt(sum(part**2 for part in parts)) - 1) * min(radii)

    def block(self, centre, half, rounding):
        outside = [
            np.abs(axis - c) - h + rounding for axis, c, h in zip((self.x, self.y, self.z), centre, half)
        ]
        reach = np.sqrt(sum(np.maximum(o, 0) ** 2 for o in outside))
        return reach + np.minimum(np.maximum.reduce(outside), 0) - rounding

    def limb(self, start, end, radius_start, radius_end):
        """A tapered capsule, and how far along it each point lies, 0 to 1."""
        start, end = np.array(start), np.array(end)
        way = end - start
        offsets = [axis - s for axis, s in zip((self.x, self.y, self.z), start)]
        along = np.clip(sum(o * w for o, w in zip(offsets, way)) / (way @ way), 0, 1)
        away = np.sqrt(sum((o - along * w) ** 2 for o, w in zip(offsets, way)))
        return away - (radius_start + (radius_end - radius_start) * along), along

    def wrinkles(self, sizes):
        """Smooth noise of the given extent along x, y and z; deviation 1."""
        field = gaussian_filter(
            self.chance.normal(size=self.x.shape).astype(np.float32), [size / self.step for size in sizes]
        )
        return field / field.std()

    def mesh(self, distance):
        vertices, faces, _, _ = marching_cubes(distance, 0, spacing=(self.step,) * 3)
        return vertices + self.low, faces[:, ::-1]


def joined(a, b, softness):
    """The union of two shapes with a soft seam."""
    share = np.clip(0.5 + 0.5 * (b - a) / softness, 0, 1)
    return b * (1 - share) + a * share - softness * share * (1 - share)
