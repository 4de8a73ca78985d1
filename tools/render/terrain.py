"""Landscapes seen from a level camera, column by column.

The camera is not tilted but shifted, so every column of the picture looks along one line over the ground.
Heights are needed only at columns x distances, about two million points, whatever the octaves of detail.
"""

import cv2
import numpy as np

from develop import LONG_SIDE
from waves import repeat

SENSOR = 36.0


class View:
    """A level view: the eye's height in metres, the lens in mm, and the horizon's row as a share of the
    height."""

    def __init__(self, shot, eye, lens, horizon):
        self.shot, self.eye, self.lens = shot, eye, lens
        step = SENSOR / lens / max(shot.width, shot.height)
        self.across = ((np.arange(shot.width) + 0.5 - shot.width / 2) * step).astype(np.float32)
        self.above = ((horizon * shot.height - np.arange(shot.height) - 0.5) * step).astype(np.float32)
        self.horizon_row = int(horizon * shot.height)

    def rays(self):
        u, v = np.meshgrid(self.across, self.above)
        return np.stack([u, np.ones_like(u), v], -1)

    def ground(self, near, far, count):
        """Points of the ground under every column: x and y, columns x distances."""
        away = np.geomspace(near, far, count).astype(np.float32)
        return self.across[:, None] * away[None], np.broadcast_to(away, (len(self.across), count))

    def water(self, limit=1e5):
        """Distance to level water at height 0 for rows under the horizon, else the limit."""
        distance = np.where(self.above < -1e-6, self.eye / np.maximum(-self.above, 1e-6), limit)
        return np.broadcast_to(np.minimum(distance, limit)[:, None], (self.shot.height, self.shot.width))


class Relief:
    """What a view sees of a field of heights."""

    def __init__(self, view, x, y, height, mirrored=False):
        """Mirrored: as level water at height 0 shows it, upside down."""
        self.x, self.y, self.height = x, y, height
        eye = -view.eye if mirrored else view.eye
        above = -view.above[::-1] if mirrored else view.above
        slope = (height - eye) / y
        highest = np.maximum.accumulate(slope, axis=1)
        columns, count = slope.shape
        rows = len(view.above)
        place = np.full((rows, columns), np.float32(count), np.float32)
        for column in range(columns):
            found = np.searchsorted(highest[column], above, side='left')
            first = np.clip(found, 1, count - 1)
            start, end = slope[column, first - 1], slope[column, first]
            share = np.clip((above - start) / np.maximum(end - start, 1e-9), 0, 1)
            place[:, column] = np.where(found >= count, count, np.where(found == 0, 0, first - 1 + share))
        if mirrored:
            place = place[::-1]
        self.place = place
        self.seen = place < count
        self.distance = np.where(self.seen, self.on_screen(y), 1e5).astype(np.float32)

    def on_screen(self, field):
        """A field given on the ground's points, brought to the pixels that see them."""
        columns, count = field.shape[:2]
        first = np.clip(self.place.astype(int), 0, count - 2)
        share = np.clip(self.place - first, 0, 1)
        column = np.broadcast_to(np.arange(columns), self.place.shape)
        if field.ndim == 3:
            share = share[..., None]
        return field[column, first] * (1 - share) + field[column, first + 1] * share

    def normals(self):
        """Upward unit normals of the ground's points."""
        along_x = np.gradient(self.height, axis=0) / np.maximum(np.gradient(self.x, axis=0), 1e-6)
        dy = np.gradient(self.y, axis=1)
        # a step in distance also moves x, so the slope along x is taken out of it
        along_y = (np.gradient(self.height, axis=1) - along_x * np.gradient(self.x, axis=1)) / np.maximum(
            dy, 1e-6
        )
        normal = np.stack([-along_x, -along_y, np.ones_like(self.height)], -1)
        return (normal / np.linalg.norm(normal, axis=-1, keepdims=True)).astype(np.float32)

    def sunlit(self, ground, sun, reach, steps=20, softness=0.05):
        """How much of the sun each ground point sees; `ground(x, y)` may be a coarser version of the heights.

        Shadows are soft, so a sixth of the points is enough.
        """
        x, y, height = (field[::3, ::2] for field in (self.x, self.y, self.height))
        lit = np.ones(height.shape, np.float32)
        side = np.hypot(sun[0], sun[1])
        for distance in np.geomspace(reach / 80, reach, steps):
            over = height + sun[2] / side * distance
            over = over - ground(x + sun[0] / side * distance, y + sun[1] / side * distance)
            lit = np.minimum(lit, np.clip(0.5 + over / (softness * distance), 0, 1))
        columns, count = self.height.shape
        return cv2.resize(lit, (count, columns), interpolation=cv2.INTER_LINEAR)


def stars(view, count, seed, limit=3.0):
    """A field of stars: few bright, many faint, each with its own tint."""
    chance = np.random.default_rng(seed)
    height, width = view.shot.height, view.shot.width
    sky = np.zeros((height, width, 3), np.float32)
    number = int(count * width * height / (1200 * 1800))
    x, y = chance.uniform(2, width - 3, number), chance.uniform(2, height - 3, number)
    power = np.minimum(chance.pareto(1.4, number) * 0.08 + 0.015, limit)
    warmth = chance.normal(0, 0.12, (number, 1))
    tint = np.clip(np.array([0.88, 0.93, 1.0]) + warmth * np.array([1, 0.1, -1]), 0.4, 1.3)
    for dx in (0, 1):
        for dy in (0, 1):
            weight = np.abs(1 - dx - x % 1) * np.abs(1 - dy - y % 1)
            np.add.at(sky, (y.astype(int) + dy, x.astype(int) + dx), (power * weight)[:, None] * tint)
    return sky * (max(height, width) / LONG_SIDE) ** 2


def texture(plane, x, y, metres):
    return repeat(plane, x / metres, y / metres)
