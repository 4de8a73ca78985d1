"""Great dunes as the sun goes down: one flank in warm light, one in blue shade, ripples near the lens."""

import numpy as np

from develop import Grade, Lens, blur, lens_blur
from noise import Perlin, smooth, tile
from shot import Shot
from terrain import Relief, View
from waves import repeat

SCENE = {
    'title': 'Desert dunes at dusk',
    'tags': (
        'desert, dunes, sand, dusk, sunset, sahara, adventure, explorer, arabian, caravan, mars, travel, warm'
    ).split(', '),
    'light': {'direction': [-0.82, 0.42, 0.39], 'color': [1.0, 0.64, 0.36], 'fill': [0.55, 0.5, 0.68]},
    'grade': {'contrast': 0.15, 'vignette': 0.22},
}
LENS = Lens(focus=3.5, radius=4, layers=9)
GRADE = Grade(
    exposure=0.4, contrast=1.4, saturation=1.16, bloom=0.06, threshold=0.8, vignette=0.28, grain=0.009
)

EYE = 1.9
SUN = np.array([-0.93, 0.18, 0.20], np.float32) / np.linalg.norm([-0.93, 0.18, 0.20])
SUNLIGHT, SKYLIGHT = np.array([2.1, 1.04, 0.44], np.float32), np.array([0.14, 0.13, 0.23], np.float32)


def picture(shot: Shot):
    horizon = {'portrait': 0.60, 'landscape': 0.62, 'square': 0.61}[shot.shape]
    view = View(shot, EYE, 31 if shot.shape == 'landscape' else 34, horizon)
    points = view.ground(1.6, 2600, 1000)
    height = _dunes(*points)
    sand = Relief(view, *points, height)
    sky = _sky(view)
    light = _lit(sand)
    air = 1 - np.exp(-points[1][..., None] / np.array([2600.0, 2100.0, 1700.0]))
    light = light * (1 - air) + air * np.array([0.62, 0.36, 0.27])
    seen = sand.on_screen(light.astype(np.float32))
    cover = blur(sand.seen.astype(np.float32), 0.8 * shot.scale)[..., None]
    scene = np.where(sand.seen[..., None], seen * cover + sky * (1 - cover), sky)
    shot.depth = np.minimum(sand.distance, 9000)
    return lens_blur(scene.astype(np.float32), shot.depth, LENS)


def _dunes(x, y):
    """Long crests across the wind, gentle to windward and steep in the lee, higher with distance and to the
    sides."""
    noise = Perlin(3)
    bend = 26 * noise.cloud(x / 130, y / 130, 3) + 75 * noise.cloud(x / 420 + 4, y / 420, 2)
    total = 0.0
    for length, tall, lean, shift in (
        (190.0, 64.0, 0.55, 0.3),
        (61.0, 5.0, -0.6, 0.1),
        (23.0, 0.9, 0.2, 0.6),
    ):
        phase = ((y + lean * x + bend * length / 110) / length + shift) % 1
        profile = np.where(phase < 0.72, smooth(0, 0.72, phase), 1 - ((phase - 0.72) / 0.28)) ** 1.15
        vary = np.clip(
            0.65 + 0.9 * noise.cloud(x / (length * 1.7) + shift * 9, y / (length * 1.7), 2), 0.1, 1.4
        )
        total = total + tall * profile * vary * smooth(length * 0.15, length * 1.4, y)
    open_middle = 1 - 0.4 * np.exp(-((x / (14 + 0.10 * y)) ** 2))
    return total * open_middle + 0.10 * noise.cloud(x / 5, y / 5, 3) - 1.0 * smooth(2, 30, y)


def _lit(sand):
    noise = Perlin(19)
    normal = sand.normals()
    fine = smooth(60, 6, sand.y)
    wander = 0.8 * noise.cloud(sand.x / 1.8, sand.y / 1.8, 3)
    ripple = np.cos((sand.x * 0.9 + sand.y * 0.35) / 0.115 * 2 * np.pi * 0.5 + wander * 9) * 0.085 * fine
    normal = normal + np.stack([ripple, ripple * 0.35, np.zeros_like(ripple)], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    sun = sand.sunlit(_dunes, SUN, 320, steps=11, softness=0.04)
    grains = (
        1
        + 0.10 * noise.cloud(sand.x * 7, sand.y * 7, 3) * fine
        + 0.12 * noise.cloud(sand.x / 9, sand.y / 9, 4)
    )
    albedo = np.array([0.56, 0.36, 0.20]) * grains[..., None]
    direct = (np.clip(normal @ SUN, 0, 1) ** 0.85 * sun)[..., None] * SUNLIGHT
    bounce = (0.5 - 0.5 * normal[..., 2:]) * np.array([0.30, 0.14, 0.06])
    return albedo * (direct + SKYLIGHT * (0.45 + 0.55 * normal[..., 2:]) + bounce)


def _sky(view):
    up = np.clip(view.above, 0, 2)[:, None] + 0 * view.across[None, :]
    west = np.exp(-np.clip(view.across + 0.75, 0, 2) / 0.55)[None, :, None]
    low, middle = np.exp(-up / 0.075)[..., None], np.exp(-up / 0.24)[..., None]
    colour = np.array([0.075, 0.105, 0.25]) * (1 - middle) + np.array([0.44, 0.27, 0.34]) * middle * (1 - low)
    colour = (
        colour
        + np.array([1.05, 0.50, 0.24]) * low * (0.65 + 0.7 * west)
        + np.array([0.55, 0.20, 0.06]) * middle * west
    )
    reach = 1 / (up + 0.10)
    x = view.across[None, :] * reach
    streak = repeat(tile(1024, 27, 1.6, 0.2, 250), x * 0.045 + 0.1, reach * 0.19) + 0.5 * repeat(
        tile(1024, 28, 1.5, 0.15, 300), x * 0.10, reach * 0.34
    )
    thin = (smooth(0.35, 2.3, streak) * 0.7 * smooth(0.02, 0.12, up))[..., None]
    return (colour * (1 - thin) + np.array([1.0, 0.48, 0.34]) * (0.6 + 0.6 * west) * thin).astype(np.float32)
