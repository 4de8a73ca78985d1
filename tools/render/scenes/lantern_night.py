"""Paper lanterns rising over a dark lake: hundreds of small warm lights, near ones large and soft, all
mirrored."""

import cv2
import numpy as np

from develop import Grade, blur, disc
from noise import Perlin, tile
from shot import Shot
from terrain import View, stars
from waves import Waves, repeat

SCENE = {
    'title': 'Night of lanterns',
    'tags': (
        'lanterns, night, festival, romantic, lake, lights, warm, wedding, fairytale, magic, wish, '
        'dream, new year'
    ).split(', '),
    'light': {'direction': [0.3, 0.7, 0.65], 'color': [1.0, 0.66, 0.36], 'fill': [0.42, 0.4, 0.62]},
    'grade': {'contrast': 0.16, 'vignette': 0.24},
}
GRADE = Grade(
    exposure=-0.05, contrast=1.3, saturation=1.28, bloom=0.10, threshold=0.35, vignette=0.34, grain=0.011
)

EYE, FOCUS, BLUR = 1.7, 3.0, 21.0  # metres, metres, pixels of blur at infinity
PAPER = np.array([1.0, 0.38, 0.085], np.float32)


def picture(shot: Shot):
    horizon = {'portrait': 0.68, 'landscape': 0.70, 'square': 0.69}[shot.shape]
    view = View(shot, EYE, 34 if shot.shape == 'landscape' else 38, horizon)
    linear = _dusk(view)
    hills, linear = _hills(view, linear)
    lanterns = _lanterns(view)
    above, mirrored = np.zeros_like(linear), np.zeros_like(linear)
    for x, y, z, tilt in lanterns:
        _lantern(view, above, x, y, z, tilt)
        _lantern(view, mirrored, x, y, -z, -tilt)
    below = (np.arange(shot.height) > view.horizon_row)[:, None, None]
    water = _on_water(view, np.where(below, _flip(linear, view), 0) + mirrored)
    linear = np.where(below, water, linear) + np.where(below, 0, above)
    mist = (np.exp(-np.abs(view.above) / 0.02) * 0.6)[:, None, None]
    linear = (
        linear * (1 - mist)
        + cv2.GaussianBlur(
            linear + np.array([0.05, 0.03, 0.03], np.float32),
            (0, 0),
            sigmaX=60 * shot.scale,
            sigmaY=16 * shot.scale,
        )
        * mist
    )
    far_shore = np.exp(-((view.above / 0.010) ** 2))[:, None, None]
    linear = linear * (1 - far_shore) + cv2.GaussianBlur(linear, (0, 0), 11 * shot.scale) * far_shore
    shot.depth = np.where(
        below[..., 0], np.maximum(view.water(9000) * 1.6, 2.5), np.where(hills, 2500, 9000)
    ).astype(np.float32)
    return linear


def _dusk(view):
    """The last blue of the evening, with stars above and a veil of thin cloud."""
    up = np.clip(view.above, 0, 2)[:, None]
    low = np.exp(-up / 0.13)[..., None] + 0 * view.across[None, :, None]
    sky = (
        np.array([0.006, 0.012, 0.040]) * (1 - low)
        + np.array([0.085, 0.060, 0.105]) * low
        + np.array([0.10, 0.045, 0.02]) * low**4
    )
    reach = 1 / (up + 0.15)
    veil = repeat(
        tile(1024, 3, 1.7, 0.25, 80),
        view.across[None, :] * reach * 0.12,
        reach * 0.3 + 0 * view.across[None, :],
    )
    sky = sky * (1 + 0.22 * veil[..., None])
    twinkle = blur(stars(view, 700, 15), 2.0 * view.shot.scale) * 10
    return blur(sky + twinkle * np.clip(up * 2.2, 0, 1)[..., None], 1.0)


def _hills(view, sky):
    """Two far ridges, only shapes, with mist between them."""
    noise = Perlin(6)
    seen = np.zeros(sky.shape[:2], bool)
    for base, rise, wide, seed, colour in (
        (0.030, 0.085, 0.32, 1.3, (0.030, 0.026, 0.060)),
        (0.010, 0.060, 0.22, 8.1, (0.014, 0.014, 0.030)),
    ):
        x = view.across / wide + seed
        crest = base + rise * (0.55 + noise.cloud(x, 0 * x + seed, 6, 0.45)) * (
            0.5 + np.abs(view.across) * 1.4
        )
        cover = np.clip((crest[None, :] - view.above[:, None]) / 0.0015, 0, 1)
        cover = blur(cover, 6 * view.shot.scale)[..., None]
        mist = np.exp(-np.clip(view.above, 0, 1) / 0.018)[:, None, None] * np.array([0.075, 0.050, 0.070])
        sky = sky * (1 - cover) + (np.array(colour) + mist) * cover
        seen |= cover[..., 0] > 0.5
    return seen, sky.astype(np.float32)


def _lanterns(view):
    """Positions in metres, and a tilt: a loose stream that rises from the far shore, thin in the middle near
    the lens."""
    chance = np.random.default_rng(23)
    width = view.across[-1] * 1.15
    placed = []
    for _ in range(430):
        y = 16 * (200 / 16) ** chance.uniform(0, 1) ** 0.8
        x = chance.uniform(-width, width) * y
        z = y * chance.uniform(0.005, view.above[0] * 1.05) * chance.uniform(0.3, 1) ** 0.7
        placed.append((x, y, max(z, 0.5), chance.normal(0, 0.10)))
    for _ in range(16):
        y = chance.uniform(5, 10)
        x = chance.choice([-1, 1]) * y * width * chance.uniform(0.45, 0.95)
        placed.append((x, y, EYE + y * view.above[0] * chance.uniform(0.12, 0.92), chance.normal(0, 0.12)))
    for _ in range(60):
        y = chance.uniform(9, 70)
        x = chance.uniform(-width, width) * y
        placed.append((x, y, 0.18, 0.0))
    return sorted(placed, key=lambda spot: -spot[1])


def _lantern(view, canvas, x, y, z, tilt):
    """One lantern through the lens: its paper body, brightest at the flame, spread into a disc by its
    distance."""
    shot = view.shot
    per_metre = 1 / (y * abs(view.across[1] - view.across[0]))
    column = (x / y - view.across[0]) / (view.across[1] - view.across[0])
    row = (view.above[0] - (z - EYE) / y) / (view.above[0] - view.above[1])
    tall, wide = 0.62 * per_metre, 0.42 * per_metre
    radius = max(abs(1 - FOCUS / y) * BLUR * shot.scale, 0.6)
    reach = int(tall * 0.75 + radius + 4)
    left, top = int(column) - reach, int(row) - reach
    if left + 2 * reach < 0 or top + 2 * reach < 0 or left >= shot.width or top >= shot.height:
        return
    rows, columns = np.mgrid[0 : 2 * reach + 1, 0 : 2 * reach + 1].astype(np.float32)
    u, v = columns + left - column, rows + top - row
    u, v = u * np.cos(tilt) + v * np.sin(tilt), v * np.cos(tilt) - u * np.sin(tilt)
    share = v / tall * np.sign(z if z else 1)
    half = (
        wide / 2 * (1.0 - 0.28 * np.clip(share + 0.5, 0, 1)) * np.clip((0.5 - np.abs(share)) * 9, 0, 1) ** 0.5
    )
    body = np.clip(half - np.abs(u) + 0.5, 0, 1) * (np.abs(share) < 0.5)
    glow = 0.55 + 2.6 * np.exp(-(((share - 0.34) / 0.22) ** 2) - (u / (wide * 0.42)) ** 2)
    flame = np.exp(-(((share - 0.40) / 0.07) ** 2) - (u / (wide * 0.12)) ** 2) * 5
    light = (body * (glow * 1.7))[..., None] * PAPER + (body * flame)[..., None] * np.array([1.0, 0.72, 0.36])
    lens = disc(radius)
    fade = np.exp(-y / 260)
    light = cv2.filter2D(light.astype(np.float32) * fade, -1, lens, borderType=cv2.BORDER_CONSTANT)
    cover = cv2.filter2D(body.astype(np.float32), -1, lens, borderType=cv2.BORDER_CONSTANT)[..., None]
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + 2 * reach + 1, shot.width), min(top + 2 * reach + 1, shot.height)
    window = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    canvas[y0:y1, x0:x1] = canvas[y0:y1, x0:x1] * (1 - cover[window]) + light[window]


def _flip(picture, view):
    rows = np.clip(2 * view.horizon_row - np.arange(view.shot.height), 0, view.shot.height - 1)
    return picture[rows]


def _on_water(view, upside):
    shot = view.shot
    distance = view.water(9000)
    x = distance * view.across[None, :]
    waves = Waves(14.0, 1.6, 5, shortest=0.12, heading=1.5).steepness(0.075)
    calm = np.clip(10 / distance, 0.04, 1) * shot.height * 0.55
    columns, rows = np.meshgrid(
        np.arange(shot.width, dtype=np.float32), np.arange(shot.height, dtype=np.float32)
    )
    shake, sway = (
        waves.at(waves.slope_y, x, distance) * calm,
        waves.at(waves.slope_x, x, distance) * calm * 0.25,
    )
    moved = cv2.remap(
        upside.astype(np.float32),
        columns + sway,
        rows + shake,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    long = cv2.GaussianBlur(moved, (0, 0), sigmaX=2.5 * shot.scale, sigmaY=14 * shot.scale)
    facing = np.clip(-view.above, 0, 1)[:, None, None]
    return long * (0.16 + 0.84 * (1 - facing) ** 4) * 0.85 + np.array([0.003, 0.004, 0.010])
