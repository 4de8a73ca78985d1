"""Deep space: glowing gas lit from inside by young stars, cut by lanes of dark dust."""

import numpy as np

from develop import Grade, blur
from noise import smooth, tile
from shot import Shot
from waves import repeat

SCENE = {
    'title': 'Nebula',
    'tags': (
        'space, nebula, galaxy, stars, cosmos, universe, sci-fi, astral, cosmic, milky way, dream, purple'
    ).split(', '),
    # stated, not measured: nobody stands on the dark lower half, and the gas lights from above
    'light': {
        'key': 0.16,
        'direction': [-0.5, 0.62, 0.6],
        'color': [1.0, 0.72, 0.78],
        'fill': [0.35, 0.5, 0.85],
    },
    'grade': {'contrast': 0.16, 'vignette': 0.22},
}
GRADE = Grade(
    exposure=-0.35,
    contrast=1.35,
    saturation=1.1,
    bloom=0.09,
    threshold=0.6,
    vignette=0.34,
    grain=0.010,
    fringe=0.0002,
)

HYDROGEN, OXYGEN, SULPHUR, VIOLET = (
    np.array(c, np.float32)
    for c in ((1.0, 0.16, 0.34), (0.04, 0.42, 0.62), (1.0, 0.46, 0.14), (0.34, 0.16, 1.0))
)


class _Gas:
    """Fields that never repeat inside the frame, bent by one another as turbulent gas is."""

    def __init__(self):
        self.broad, self.bend, self.fine = (
            tile(1024, 51, 2.0, 0.5, 200),
            tile(1024, 52, 2.2, 0.4, 100),
            tile(2048, 53, 1.75, 0.25, 400),
        )

    def field(self, plane, x, y, scale, warp, shift):
        u, v = x * scale + shift, y * scale + shift * 1.7
        for strength in (warp, warp * 0.5):
            u, v = (
                u + strength * repeat(self.bend, u * 0.8, v * 0.8),
                v + strength * repeat(self.bend, u * 0.8 + 0.5, v * 0.8 + 0.3),
            )
        return repeat(plane, u, v)


def picture(shot: Shot):
    x, y = shot.grid()
    y = y - shot.height / max(shot.width, shot.height) / 2
    gas = _Gas()
    # the brightest part lies off the middle, so that a face stands before calm dark gas
    core = np.hypot((x + 0.16) * 1.15, (y + 0.22) * 1.0)
    shell = gas.field(gas.broad, x, y, 0.42, 0.10, 0.13)
    wisps = gas.field(gas.fine, x, y, 0.40, 0.11, 0.61)
    knots = gas.field(gas.fine, x, y, 0.95, 0.07, 0.31)
    cloud = np.clip(0.62 + 0.42 * shell - core * 0.85, 0, 2.0)
    threads = np.clip(1 - np.abs(wisps) * 0.75, 0, 1) ** 3
    emission = cloud**2.3 * (0.5 + 0.5 * threads + 0.16 * np.clip(knots, -1, 2))
    lane = gas.field(gas.broad, x, y, 0.55, 0.14, 0.77) + 0.3 * knots
    dust = smooth(0.3, 2.0, lane)
    heat = np.exp(-((core / 0.34) ** 2))
    edge = np.clip(cloud, 0, 1) * np.exp(-(((cloud - 0.55) / 0.32) ** 2))
    warm = smooth(-1.2, 1.2, gas.field(gas.broad, x, y, 0.36, 0.08, 0.93))[..., None]
    colour = (
        emission[..., None] * (HYDROGEN * warm + VIOLET * (1 - warm) + SULPHUR * edge[..., None] * 0.5)
        + (emission * heat * 1.5)[..., None] * OXYGEN
        + (heat**2 * 0.4 * (0.6 + 0.4 * threads))[..., None] * np.array([0.55, 0.75, 1.0])
    )
    veil = np.clip(gas.field(gas.broad, x, y, 0.30, 0.12, 0.42) * 0.5 + 0.45, 0, 2)[..., None]
    colour = colour + veil * np.array([0.020, 0.030, 0.085]) + np.array([0.004, 0.005, 0.013])
    colour = colour * (1 - 0.88 * dust[..., None]) + dust[..., None] * np.array([0.020, 0.009, 0.010])
    colour = blur(colour * 0.62, 5 * shot.scale)
    shot.depth = np.full((shot.height, shot.width), 1000.0, np.float32)
    return (colour + _stars(shot, dust)).clip(0)


def _stars(shot, dust):
    """Dust hides the far ones; the near bright ones carry a glow and four fine spikes."""
    chance = np.random.default_rng(91)
    far = np.zeros((shot.height, shot.width, 3), np.float32)
    number = int(5000 * shot.width * shot.height / 2_160_000)
    column, row = chance.integers(1, shot.width - 1, number), chance.integers(1, shot.height - 1, number)
    power = np.minimum(chance.pareto(1.25, number) * 0.10 + 0.02, 4)[:, None]
    tint = np.clip(1 + chance.normal(0, 0.22, (number, 1)) * np.array([1, 0.1, -1]), 0.5, 1.6)
    np.add.at(far, (row, column), power * tint)
    total = blur(far, 1.25 * shot.scale) * 6 * (1 - 0.9 * dust[..., None])
    y, x = np.mgrid[0 : shot.height, 0 : shot.width].astype(np.float32)
    for _ in range(16):
        cx, cy = chance.uniform(0.03, 0.97) * shot.width, chance.uniform(0.02, 0.8) * shot.height
        if abs(cx / shot.width - 0.5) < 0.14:
            continue
        strength, warm = chance.uniform(0.5, 2.2), chance.uniform(-0.3, 0.3)
        size = shot.scale * (2.6 + strength)
        dx, dy = np.abs(x - cx) / size, np.abs(y - cy) / size
        away = np.hypot(dx, dy)
        light = np.exp(-(away**1.1)) * 3 + 0.10 / (1 + (away / 3) ** 2.4)
        light = light + 0.35 * (np.exp(-dx * 1.6 - dy / 6) + np.exp(-dy * 1.6 - dx / 6))
        total += (light * strength)[..., None] * np.array([1 + warm, 0.95, 1 - warm], np.float32) * 0.9
    return total
