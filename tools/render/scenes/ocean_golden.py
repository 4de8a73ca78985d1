"""A beach at the golden hour: low sun over the sea, its glitter on the waves, the sky again in the wet
sand."""

import numpy as np

from develop import Grade, Lens, blur, lens_blur
from noise import Perlin, smooth, tile
from shot import Shot
from terrain import View
from waves import Waves, repeat

SCENE = {
    'title': 'Ocean at golden hour',
    'tags': (
        'beach, ocean, sea, sunset, golden hour, summer, holiday, tropical, waves, sun, coast, vacation, sand'
    ).split(', '),
    'light': {'direction': [0.5, 0.4, -0.77], 'color': [1.0, 0.66, 0.36], 'fill': [0.72, 0.6, 0.66]},
    'grade': {'contrast': 0.14, 'vignette': 0.2},
}
LENS = Lens(focus=3.2, radius=4, layers=10)
GRADE = Grade(
    exposure=-0.4, contrast=1.62, saturation=1.16, bloom=0.13, threshold=0.7, vignette=0.26, grain=0.009
)

EYE = 1.65
SUN = np.array([0.20, 1.0, 0.105], np.float32) / np.linalg.norm([0.20, 1.0, 0.105])


def picture(shot: Shot):
    horizon = {'portrait': 0.56, 'landscape': 0.60, 'square': 0.58}[shot.shape]
    view = View(shot, EYE, 34 if shot.shape == 'landscape' else 36, horizon)
    rays = view.rays()
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    sky = _Sky()
    linear = sky.seen(rays)
    distance = view.water(4e4)
    below = np.arange(shot.height) > view.horizon_row
    x = view.across[None, :] * distance
    linear[below] = _shore(view, sky, rays[below], x[below], distance[below])
    mist = (np.exp(-np.abs(view.above) / 0.012) * 0.55)[:, None, None]
    linear = (
        linear * (1 - mist)
        + sky.seen(np.stack([rays[..., 0], rays[..., 1], np.full_like(rays[..., 2], 0.02)], -1), clouds=False)
        * 0.8
        * mist
    )
    shot.depth = np.where(below[:, None], np.maximum(distance, 2.2), 4e4).astype(np.float32)
    return lens_blur(linear.astype(np.float32), shot.depth, LENS)


class _Sky:
    def __init__(self):
        self.heaps, self.wisps = tile(1024, 14, 1.55, 0.2, 300), tile(1024, 33, 1.5, 0.25, 300)

    def seen(self, rays, clouds=True):
        up = np.clip(rays[..., 2], 0.0, 1)
        near = np.clip((rays * SUN).sum(-1), -1, 1)
        angle = np.arccos(near)
        warm = np.exp(-angle / 0.32)[..., None]
        low = np.exp(-up / 0.07)[..., None]
        middle = np.exp(-up / 0.15)[..., None]
        colour = np.array([0.06, 0.15, 0.36]) * (1 - middle) + np.array([0.40, 0.30, 0.36]) * middle * (
            1 - low
        )
        colour = (
            colour
            + np.array([1.0, 0.42, 0.13]) * low * (0.45 + 0.9 * warm)
            + np.array([1.0, 0.40, 0.10]) * warm * 0.75
        )
        halo = np.exp(-angle / 0.16) * 0.6 + np.exp(-angle / 0.035) * 5 + np.exp(-((angle / 0.011) ** 2)) * 60
        colour = colour + halo[..., None] * np.array([1.0, 0.62, 0.24])
        if clouds:
            colour = self._clouded(colour, rays, up, angle)
        return colour.astype(np.float32)

    def _clouded(self, colour, rays, up, angle):
        """Two decks: heaped cloud low down, with lit rims towards the sun, and thin wisps above."""
        reach = 1 / (up + 0.06)
        x, y = rays[..., 0] * reach, rays[..., 1] * reach
        wisp = repeat(self.wisps, x * 0.05 + 0.2, y * 0.16)
        thin = (
            smooth(0.0, 2.0, wisp + 0.5 * repeat(self.heaps, x * 0.11, y * 0.23))
            * smooth(0.02, 0.14, up)
            * 0.6
        )
        pink = np.array([1.0, 0.44, 0.30]) * (0.5 + 1.1 * np.exp(-angle / 0.4))[..., None]
        colour = colour * (1 - thin[..., None]) + pink * thin[..., None]
        body = repeat(self.heaps, x * 0.085 + 0.62, y * 0.15 + 0.1)
        towards = repeat(self.heaps, x * 0.085 + 0.62 + 0.012, y * 0.15 + 0.1 + 0.02)
        thick = smooth(0.25, 1.3, body) * smooth(0.01, 0.05, up) * smooth(0.62, 0.2, up)
        rim = np.clip(0.5 + (body - towards) * 1.1, 0, 1) * (0.35 + 1.5 * np.exp(-angle / 0.35))
        grey = np.array([0.17, 0.14, 0.20]) + np.array([1.05, 0.42, 0.17]) * rim[..., None]
        return colour * (1 - 0.85 * thick[..., None]) + grey * 0.85 * thick[..., None]


def _shore(view, sky, rays, x, distance):
    """Sea to the waterline, a breaking edge of foam, then sand that is still wet."""
    noise = Perlin(12)
    line = 9.5 + 1.3 * noise.cloud(x / 7, 0 * x + 0.7, 3) + 0.12 * x
    sea = _reflected(sky, rays, *_sea_slopes(view, x, distance), _spread(view, distance))
    deep = (
        np.array([0.012, 0.055, 0.065])
        + np.array([0.05, 0.10, 0.08]) * np.exp(-np.maximum(distance - line, 0) / 14)[..., None]
    )
    facing = np.clip(-rays[..., 2], 0, 1)[..., None]
    fresnel = 0.03 + 0.97 * (1 - facing) ** 4
    water = sea * fresnel + deep * (1 - fresnel) * 0.9
    surf = _foam(noise, x, distance, line)
    water = water * (1 - surf) + np.array([1.0, 0.80, 0.66]) * 0.75 * surf
    return _over_sand(noise, sky, rays, x, distance, line, water)


def _foam(noise, x, distance, line):
    """The edge of the last wave and two spent ones behind it."""
    total = np.zeros_like(x)
    for away, width, strength in ((0.0, 0.35, 0.95), (2.6, 0.5, 0.6), (9.0, 1.2, 0.7), (19, 2.0, 0.5)):
        bend = 0.9 * noise.cloud(x / (5 + away) + away, 0 * x + away, 3)
        lace = noise.cloud(x * 1.6 + away, distance * 1.6, 5) * 0.9 + 0.5
        crest = np.exp(-(((distance - line - away - bend * (away > 0)) / width) ** 2))
        present = 1.0 if away == 0 else smooth(-0.05, 0.3, noise.cloud(x / 11 + away * 3, 0 * x, 2))
        total = np.maximum(total, crest * np.clip(lace + 0.35, 0, 1) * strength * present)
    return total[..., None]


def _over_sand(noise, sky, rays, x, distance, line, water):
    wet = smooth(2.0, 9.0, line - distance)[..., None]
    ripple = 0.012 * noise.cloud(x * 2.2, distance * 1.1, 4)
    glassy = _reflected(sky, rays, ripple, ripple * 0.7, np.full_like(x, 0.035))
    grains = (
        1
        + 0.5 * noise.cloud(x * 60, distance * 60, 3)[..., None] * smooth(9, 4, distance)[..., None]
        + 0.4 * noise.cloud(x * 7, distance * 5, 4)[..., None]
        + 0.45 * noise.cloud(x * 0.7, distance * 0.7, 4)[..., None]
    )
    sand = np.array([0.22, 0.135, 0.085]) * grains * 0.8
    facing = np.clip(-rays[..., 2], 0, 1)[..., None]
    mirror = (0.10 + 0.90 * (1 - facing) ** 2.6) * (1 - wet) ** 1.2
    beach = sand * (0.45 + 0.75 * wet) * (1 - mirror * 0.6) + glassy * mirror
    edge = smooth(-0.04, 0.04, distance - line)[..., None]
    return beach * (1 - edge) + water * edge


def _sea_slopes(view, x, distance):
    """Slopes of three sizes of wave; each fades where it becomes finer than a pixel."""
    foot = distance**2 / EYE * abs(view.above[1] - view.above[0])
    total_x, total_y = np.zeros_like(x), np.zeros_like(x)
    for metres, wind, seed, rms in ((6.0, 1.6, 1, 0.09), (31.0, 4.0, 2, 0.09), (170.0, 8.0, 3, 0.07)):
        waves = Waves(metres, wind, seed, heading=1.4).steepness(rms)
        resolved = np.clip(metres / 10 / np.maximum(foot, 1e-3), 0, 1)
        total_x += waves.at(waves.slope_x, x, distance) * resolved
        total_y += waves.at(waves.slope_y, x, distance) * resolved
    return total_x, total_y


def _spread(view, distance):
    """Slopes too fine to draw widen the reflection instead."""
    foot = distance**2 / EYE * abs(view.above[1] - view.above[0])
    return 0.03 + 0.10 * smooth(0.02, 6.0, foot)


def _reflected(sky, rays, slope_x, slope_y, spread, samples=16):
    chance = np.random.default_rng(7)
    total = np.zeros(rays.shape, np.float32)
    for _ in range(samples):
        nx = -slope_x + chance.normal(size=slope_x.shape) * spread * 0.7
        ny = -slope_y + chance.normal(size=slope_x.shape) * spread
        normal = np.stack([nx, ny, np.ones_like(nx)], -1)
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
        away = rays - 2 * (rays * normal).sum(-1, keepdims=True) * normal
        away[..., 2] = np.abs(away[..., 2])
        total += np.minimum(sky.seen(away), 6)
    return blur(total / samples, 0.7)
