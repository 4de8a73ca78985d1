"""On a concert stage: beams through the haze from rows of moving heads, a wall of lamps behind, the glow on
the boards."""

import cv2
import numpy as np

from camera import Camera
from develop import Grade, Lens, blur, disc
from noise import tile
from shot import Shot
from waves import repeat

SCENE = {
    'title': 'On stage',
    'tags': (
        'stage, concert, spotlight, music, rockstar, festival, singer, band, show, theatre, party, club, dj'
    ).split(', '),
    # stated, not measured: the boards are dark, but the beams are on whoever stands there
    'light': {
        'key': 0.2,
        'direction': [0.0, 0.75, 0.66],
        'color': [1.0, 0.86, 0.78],
        'fill': [0.5, 0.36, 0.85],
    },
    'grade': {'contrast': 0.18, 'vignette': 0.26},
}
LENS = Lens(focus=3, radius=12)
GRADE = Grade(
    exposure=0.25, contrast=1.62, saturation=1.28, bloom=0.10, threshold=0.5, vignette=0.36, grain=0.011
)

BLUE, MAGENTA, AMBER, WHITE = (
    np.array(c, np.float32)
    for c in ((0.06, 0.22, 1.0), (0.85, 0.06, 0.62), (1.0, 0.42, 0.08), (0.85, 0.9, 1.0))
)
BACK = 13.0  # metres to the lamp wall
FLOOR = -1.5


def camera(shape):
    rise = {'portrait': 1.1, 'landscape': 0.75, 'square': 0.9}[shape]
    return Camera(eye=(0, 0, 0), target=(0, 10, rise), lens=27 if shape == 'landscape' else 30)


def picture(shot: Shot):
    rays = camera(shot.shape).rays(shot.width, shot.height)
    heads = _heads()
    linear = np.zeros((shot.height, shot.width, 3), np.float32) + np.array([0.004, 0.004, 0.010], np.float32)
    linear += _in_haze(shot, heads)
    below = rays[..., 2] < -1e-3
    to_floor = np.where(below, FLOOR / np.minimum(rays[..., 2], -1e-3), 1e4)
    on_floor = to_floor < BACK
    mirrored = _lamp_discs(shot, heads, flipped=True)
    linear = np.where(
        on_floor[..., None],
        _boards(shot, rays, to_floor, heads, mirrored) + linear * 0.55,
        linear + _backdrop(shot, rays),
    )
    seam = np.exp(-(((to_floor - BACK) / 2.5) ** 2))[..., None] * below[..., None]
    linear = linear * (1 - seam) + cv2.GaussianBlur(linear, (0, 0), 12 * shot.scale) * seam
    linear = linear + blur(
        np.where(on_floor[..., None], 0, _lamp_discs(shot, heads, flipped=False)), 2.4 * shot.scale
    )
    shot.depth = np.where(on_floor, np.maximum(to_floor * 1.3, 2.4), BACK).astype(np.float32)
    return linear


def _heads():
    """Lamp place, where it points, colour, strength. Two trusses above, a row on the floor behind, two
    towers."""
    lamps = []
    for k, x in enumerate(np.linspace(-5.4, 5.4, 10)):
        colour = (BLUE, MAGENTA)[k % 2]
        lamps.append(((x, BACK - 1, 6.2), (x * 0.25 + (1.4 if k % 2 else -1.4), 3.5, FLOOR), colour, 1.25))
    for k, x in enumerate(np.linspace(-4.2, 4.2, 7)):
        lamps.append(
            ((x, BACK - 4, 7.2), (x * 0.5 + (2.6 if k % 2 else -2.6), 5.5, FLOOR), (WHITE, AMBER)[k % 2], 0.5)
        )
    for x in (-6.0, -4.6, -3.2, 3.2, 4.6, 6.0):
        lamps.append(
            ((x, BACK - 0.5, FLOOR + 0.3), (x * 1.7, BACK - 5, 9.0), MAGENTA if abs(x) > 4 else BLUE, 1.0)
        )
    for side in (-1, 1):
        for k in range(4):
            lamps.append(
                (
                    (side * 6.6, BACK - 2, 0.4 + k * 1.3),
                    (side * -1.0, 4.0, 1.5 + k * 1.6),
                    (AMBER, BLUE, AMBER, MAGENTA)[k],
                    0.45,
                )
            )
    return lamps


def _project(shot, point):
    """Pixel column and row of a point, and the pixels one metre takes there."""
    view = camera(shot.shape)
    target = np.array(view.target, float)
    forward = target / np.linalg.norm(target)
    right = np.cross(forward, [0, 0, 1])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    depth = np.dot(point, forward)
    focal = view.lens / 36 * max(shot.width, shot.height)
    return np.array(
        [
            shot.width / 2 + np.dot(point, right) / depth * focal,
            shot.height / 2 - np.dot(point, up) / depth * focal,
        ]
    ), focal / depth


def _in_haze(shot, heads):
    """Every beam is a cone that widens and fades away from its lamp, broken by drifting haze."""
    small = 2
    height, width = shot.height // small, shot.width // small
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) * small
    smoke = tile(1024, 71, 2.0, 0.4, 90)
    side = max(shot.width, shot.height)
    drift = np.clip(
        0.85
        + 0.20 * repeat(smoke, x / side * 0.5, y / side * 0.8)
        + 0.07 * repeat(smoke, x / side * 1.6 + 0.4, y / side * 2.2),
        0.4,
        2,
    )
    total = np.zeros((height, width, 3), np.float32)
    for place, aim, colour, strength in heads:
        start, per_metre = _project(shot, np.array(place, float))
        reach = np.array(aim, float) - np.array(place, float)
        end, _ = _project(
            shot,
            np.array(place, float)
            + reach * min(1.0, 0.8 * place[1] / max(-reach[1], 0.1) if reach[1] < 0 else 1.0),
        )
        along = end - start
        length = np.linalg.norm(along) + 1e-6
        along /= length
        t = (x - start[0]) * along[0] + (y - start[1]) * along[1]
        off = np.abs((x - start[0]) * along[1] - (y - start[1]) * along[0])
        away = np.maximum(t, 0) / per_metre
        half = (0.10 + 0.055 * away) * per_metre
        core = np.exp(-((off / half) ** 2) * 1.6) + 0.35 * np.exp(-((off / (half * 2.2)) ** 2))
        fade = (
            np.clip(t / (0.06 * per_metre), 0, 1)
            / (1 + (away / 2.6) ** 1.25)
            * np.exp(-np.maximum(t - length, 0) / (0.35 * length))
        )
        total += (core * fade * strength * 0.50)[..., None] * colour
    total = total * drift[..., None] + drift[..., None] ** 2 * np.array([0.012, 0.008, 0.030])
    return cv2.resize(blur(total, 1.5), (shot.width, shot.height), interpolation=cv2.INTER_CUBIC).clip(0)


def _lamp_discs(shot, heads, flipped):
    """The lamps themselves, out of focus; flipped: in the glossy floor."""
    canvas = np.zeros((shot.height, shot.width, 3), np.float32)
    for place, _, colour, strength in heads:
        point = np.array(place, float)
        if flipped:
            point[2] = 2 * FLOOR - point[2]
        (column, row), per_metre = _project(shot, point)
        size = LENS.radius * (1 - LENS.focus / point[1]) * shot.scale + 0.09 * per_metre
        _stamp(canvas, column, row, size, (colour * 0.5 + 0.5 * colour.max()) * (2.0 + 3.5 * strength))
    for x, z in _wall_lamps():
        point = np.array([x, BACK, z if not flipped else 2 * FLOOR - z])
        (column, row), per_metre = _project(shot, point)
        glow = 0.35 + 0.65 * np.sin(x * 1.3 + z * 0.9) ** 2
        _stamp(
            canvas,
            column,
            row,
            LENS.radius * 0.8 * shot.scale,
            np.array([1.0, 0.50, 0.17], np.float32) * glow * 1.5,
        )
    return canvas


def _wall_lamps():
    """Blinders in a grid, left out in the middle where heads will be."""
    return [
        (x, z)
        for x in np.arange(-6.2, 6.3, 0.78)
        for z in np.arange(-0.6, 4.6, 0.78)
        if abs(x) > 2.0 or z > 3.4
    ]


def _stamp(canvas, column, row, radius, light):
    kernel = disc(max(radius, 1))
    kernel = kernel / kernel.max()
    reach = kernel.shape[0] // 2
    left, top = int(round(column)) - reach, int(round(row)) - reach
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + kernel.shape[1], canvas.shape[1]), min(top + kernel.shape[0], canvas.shape[0])
    if x0 < x1 and y0 < y1:
        canvas[y0:y1, x0:x1] += kernel[y0 - top : y1 - top, x0 - left : x1 - left, None] * light


def _backdrop(shot, rays):
    """A dark cloth behind, lit from below in blue and from the side in magenta."""
    x, z = rays[..., 0] * BACK, rays[..., 2] * BACK
    folds = 0.75 + 0.25 * np.sin(x * 5.5 + 0.8 * np.sin(x * 1.9))
    wash = (
        np.exp(-np.maximum(z - FLOOR, 0) / 2.2)[..., None] * BLUE * 0.11
        + np.exp(-(((np.abs(x) - 5.5) / 2.4) ** 2))[..., None] * MAGENTA * 0.05
    )
    return blur(wash * folds[..., None], 7 * shot.scale)


def _boards(shot, rays, distance, heads, mirrored):
    """Black glossy boards: pools of light where beams land, and the long soft mirror of the lamps."""
    x, y = rays[..., 0] * distance, rays[..., 1] * distance
    plank = (
        0.82
        + 0.18 * np.sin(np.floor(x / 0.22) * 12.9)
        - 0.55 * np.exp(-((((x / 0.22) % 1 - 0.5) / 0.02) ** 2)) * np.clip(2.2 - distance / 4, 0, 1)
        + 0.05 * repeat(tile(512, 8, 1.6, 0.2, 100), x / 1.2, y / 6)
    )
    pool = np.zeros((*x.shape, 3), np.float32)
    for _, aim, colour, strength in heads:
        if aim[2] == FLOOR:
            spot = np.exp(-(((x - aim[0]) / 1.1) ** 2 + ((y - aim[1]) / 1.5) ** 2))
            pool += (spot * strength * 0.11)[..., None] * (colour * 0.8 + 0.08)
    ambient = np.array([0.030, 0.020, 0.060]) + 0.05 * np.exp(-(((y - 9) / 5) ** 2))[..., None] * BLUE
    gloss = cv2.GaussianBlur(mirrored, (0, 0), sigmaX=7 * shot.scale, sigmaY=34 * shot.scale)
    facing = np.clip(-rays[..., 2] / np.linalg.norm(rays, axis=-1), 0, 1)[..., None]
    return (pool + ambient) * plank[..., None] * 0.8 + gloss * (0.16 + 0.9 * (1 - facing) ** 4) * plank[
        ..., None
    ]
