"""A mountain lake before sunrise reaches the water: the first sun on the peaks, mist over the far shore, a
mirror below."""

import cv2
import numpy as np

from develop import Grade, Lens, blur, lens_blur
from noise import Perlin, smooth, tile
from shot import Shot
from terrain import Relief, View
from waves import Waves, repeat

SCENE = {
    'title': 'Mountain lake at first light',
    'tags': (
        'mountains, lake, alps, sunrise, nature, hiking, snow, reflection, adventure, mist, summit, '
        'landscape, outdoors'
    ).split(', '),
    'light': {'direction': [-0.72, 0.45, 0.53], 'color': [1.0, 0.78, 0.6], 'fill': [0.6, 0.7, 0.92]},
    'grade': {'contrast': 0.14, 'vignette': 0.2},
}
LENS = Lens(focus=4, radius=3.5, layers=6)
GRADE = Grade(
    exposure=0.2, contrast=1.55, saturation=1.16, bloom=0.05, threshold=0.9, vignette=0.26, grain=0.009
)

EYE = 2.2
SUN = np.array([-0.80, -0.42, 0.25], np.float32) / np.linalg.norm([-0.80, -0.42, 0.25])
SUNLIGHT, SKYLIGHT = np.array([1.95, 1.12, 0.68], np.float32), np.array([0.17, 0.23, 0.36], np.float32)


def picture(shot: Shot):
    horizon = {'portrait': 0.60, 'landscape': 0.64, 'square': 0.62}[shot.shape]
    view = View(shot, EYE, 30 if shot.shape == 'landscape' else 33, horizon)
    points = view.ground(420, 11000, 1100)
    height = _peaks(*points)
    sky = _sky(view, mirrored=False)
    near, under = Relief(view, *points, height), Relief(view, *points, height, mirrored=True)
    light = _in_air(points[1], height, _rock_light(near))
    scene = np.where(near.seen[..., None], near.on_screen(light), sky)
    cover = blur(near.seen.astype(np.float32), 0.8 * shot.scale)[..., None]
    scene = np.where(near.seen[..., None], scene * cover + sky * (1 - cover), scene)
    upside = np.where(under.seen[..., None], under.on_screen(light), _sky(view, mirrored=True))
    scene, shot.depth = _lake(view, scene, upside, near)
    scene = _mist(view, scene)
    return lens_blur(scene.astype(np.float32), shot.depth, LENS)


def _peaks(x, y, octaves=10):
    noise = Perlin(12)
    bend = 0.06 * noise.cloud(x / 900, y / 900, 3)
    aside = np.abs(x + 90 * np.sin(y / 900))
    sides = smooth(420 + y * 0.03, 2100 + y * 0.16, aside)
    back = smooth(2200, 5200, y)
    body = np.clip(sides + back * 0.95, 0, 1.25)
    rock = noise.ridges(x / 2300 + 4.1 + bend, y / 2300 + 8.4 + bend, octaves, 0.49)
    return (
        -20
        + body**1.1 * (110 + rock * 880)
        + noise.cloud(x / 150, y / 150, octaves - 4) * 42 * np.clip(body * 4, 0, 1)
    )


def _rock_light(relief):
    noise = Perlin(40)
    normal = relief.normals()
    sun = relief.sunlit(lambda x, y: _peaks(x, y, 5), SUN, 4500, steps=14)
    fine = noise.cloud(relief.x / 60, relief.y / 60, 6)
    broad = noise.cloud(relief.x / 400, relief.y / 400, 4)
    stone = (
        np.array([0.20, 0.19, 0.19]) * (1 + 0.9 * fine[..., None])
        + np.array([0.05, 0.03, 0.01]) * broad[..., None]
    )
    meadow = smooth(520, 240, relief.height + broad * 500) * smooth(0.55, 0.78, normal[..., 2])
    stone = (
        stone * (1 - meadow[..., None])
        + np.array([0.045, 0.06, 0.028]) * (1 + 0.8 * fine[..., None]) * meadow[..., None]
    )
    snow = smooth(420, 800, relief.height + broad * 600) * smooth(0.36, 0.56, normal[..., 2] + fine * 0.35)
    albedo = stone * (1 - snow[..., None]) + np.array([0.84, 0.87, 0.92]) * snow[..., None]
    direct = (np.clip(normal @ SUN, 0, 1) * sun)[..., None] * SUNLIGHT
    return (albedo.clip(0.01) * (direct + SKYLIGHT * (0.5 + 0.5 * normal[..., 2:]))).astype(np.float32)


def _in_air(distance, height, light):
    """Blue distance, thicker low down."""
    thick = distance * np.exp(-np.maximum(height, 0) / 1500)
    air = 1 - np.exp(-thick[..., None] / np.array([15000.0, 11000.0, 8000.0]))
    return (light * (1 - air) + air * np.array([0.42, 0.44, 0.52])).astype(np.float32)


def _sky(view, mirrored):
    """Clear morning sky, warmer low down, with a few lit streaks of cloud."""
    rows = np.arange(view.shot.height)
    above = view.above if not mirrored else -view.above
    up = np.clip(above, 0.001, 2)[:, None] + 0 * view.across[None, :]
    low, mid = np.exp(-up / 0.10)[..., None], np.exp(-up / 0.34)[..., None]
    colour = (
        np.array([0.13, 0.25, 0.50]) * (1 - mid)
        + np.array([0.50, 0.52, 0.62]) * mid * (1 - low)
        + np.array([0.86, 0.66, 0.54]) * low
    )
    reach = 1 / (up + 0.10)
    x, y = view.across[None, :] * reach, reach
    streaks, puffs = tile(1024, 5, 1.6, 0.2, 200), tile(1024, 8, 1.5, 0.15, 300)
    cloud = repeat(streaks, x * 0.05 + 0.3, y * 0.22 + 0.15) + 0.6 * repeat(puffs, x * 0.10, y * 0.30)
    cover = (smooth(0.55, 2.2, cloud) * 0.8 * smooth(0.02, 0.12, up))[..., None]
    rose = np.array([1.15, 0.70, 0.52]) * 0.95
    return (colour * (1 - cover) + rose * cover + 0 * rows[:, None, None]).astype(np.float32)


def _lake(view, scene, upside, near):
    shot = view.shot
    distance = view.water(9e4)
    wet = (view.above < 0)[:, None] & (distance < near.distance)
    ripples = Waves(18.0, 1.4, 6, shortest=0.1).steepness(0.05)
    x = distance * view.across[None, :]
    calm = np.clip(9 / distance, 0.0, 1)
    columns, rows = np.meshgrid(
        np.arange(shot.width, dtype=np.float32), np.arange(shot.height, dtype=np.float32)
    )
    reach = shot.height * 0.7
    sway, shake = (
        ripples.at(plane, x, distance) * calm * reach for plane in (ripples.slope_x, ripples.slope_y)
    )
    moved = cv2.remap(
        upside.astype(np.float32),
        columns + sway * 0.4,
        rows + shake,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    soft = cv2.GaussianBlur(moved, (0, 0), sigmaX=1.0 * shot.scale, sigmaY=6 * shot.scale)
    facing = np.clip(-view.above, 0, 1)[:, None, None]
    mirror = 0.06 + 0.94 * (1 - facing) ** 4.5
    bed = np.array([0.018, 0.050, 0.055]) * (1 + 1.2 * smooth(0.1, 0.5, facing))
    water = soft * mirror * 0.92 + bed * (1 - mirror)
    wind = smooth(0.2, 1.4, repeat(tile(512, 4, 1.8, 0.3, 60), x / 900, distance / 2600)) * smooth(
        120, 500, distance
    )
    water = water * (1 - 0.35 * wind[..., None]) + 0.35 * wind[..., None] * np.array([0.40, 0.44, 0.54])
    return np.where(wet[..., None], water, scene), np.where(wet, distance * 2.2, near.distance)


def _mist(view, scene):
    """A bank of mist lying on the far water."""
    shot = view.shot
    fleece = repeat(
        tile(1024, 17, 1.7, 0.4, 200),
        *np.broadcast_arrays(view.across[None, :] * 0.9 + 0.2, (view.above * 5)[:, None]),
    )
    rise = view.above[:, None]
    band = np.exp(-((np.maximum(rise - 0.004, 0) / 0.030) ** 1.3)) * np.exp(-(np.maximum(-rise, 0) / 0.010))
    thick = np.clip(band * (0.62 + 0.30 * fleece), 0, 0.9)[..., None]
    thick = blur(thick, 3 * shot.scale)
    thick = thick if thick.ndim == 3 else thick[..., None]
    return scene * (1 - thick) + np.array([0.66, 0.62, 0.66]) * thick
