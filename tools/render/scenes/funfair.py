"""A funfair after dark: a great wheel and a carousel alight, stalls under striped canvas, wet paving."""

import math

import cv2
import numpy as np

import skies
from camera import Camera
from develop import Grade, Lens, hazed, lens_blur
from ground import is_ground, paved
from materials import GILT, IRON, darker, wet_ground, wood
from pieces import bulb_string, ring
from shot import Shot

SCENE = {
    'title': 'Funfair at night',
    'tags': (
        'funfair, fair, carnival, amusement park, ferris wheel, carousel, merry go round, candy, fun, lights, '
        'kids, birthday, coney island, festival'
    ).split(', '),
    'light': {
        'key': 0.16,
        'direction': [-0.35, 0.62, 0.7],
        'color': [1.0, 0.80, 0.58],
        'fill': [0.58, 0.44, 0.66],
    },
    'grade': {'contrast': 0.16, 'vignette': 0.22},
}
SAMPLES = 8
SHARE = 0.42
TRACE = {'bounces': 3, 'clamp': 4.0, 'least': 5}
BAND = 0.15
LENS = Lens(focus=2.6, radius=17, sparkle=0.2, layers=14)
GRADE = Grade(exposure=0.15, contrast=1.3, saturation=1.22, bloom=0.07, vignette=0.32, grain=0.010)

RED, BLUE, AMBER, PINK, MINT, WARM = (
    (1, 0.05, 0.06),
    (0.08, 0.32, 1),
    (1, 0.48, 0.10),
    (1, 0.10, 0.45),
    (0.10, 1, 0.55),
    (1, 0.56, 0.22),
)

EYE = 1.55


def camera(shape):
    return Camera(eye=(0, -2.2, EYE), target=(0, 12, 2.3), lens=36)


def build(stage, shape):
    chance = stage.clear(131)
    bulb, iron = stage.ball(10, 8), stage.material(IRON, 0.4, 0.8)
    glows = {colour: stage.glowing(colour, 30) for colour in (RED, BLUE, AMBER, PINK, MINT, WARM)}
    stage.plane(
        (0, 40, 0), 120, 110, wet_ground(stage, (0.030, 0.028, 0.032), (0.010, 0.010, 0.014), 0.4, 0.10)
    )
    _wheel(stage, (5.0, 44, 15.5), 13.5, bulb, iron, glows)
    _carousel(stage, (-5.4, 21, 0), 4.2, bulb, glows)
    for side in (-1, 1):
        for k in range(6):
            _stall(stage, chance, side, 3.6 + k * 4.4, k, bulb, glows)
    for y in (5.2, 9.5, 14.5, 20.5, 28.0):
        bulb_string(stage, bulb, glows[WARM], iron, (-4.0, y, 4.3), (4.0, y, 4.3), 19, 0.9, 0.045, chance)
    stage.lamp('AREA', (-2.0, -2.0, 4.0), 80, (1, 0.76, 0.5), 2.0, (0, 3, 0.4))
    stops = [
        (0.0, (0.16, 0.07, 0.11)),
        (0.12, (0.07, 0.045, 0.12)),
        (0.4, (0.018, 0.022, 0.075)),
        (1.0, (0.006, 0.010, 0.035)),
    ]
    stage.sky(shade=lambda nodes: skies.gradient(nodes, stops))


def _wheel(stage, hub, radius, bulb, iron, glows):
    """The great wheel: two rims of bulbs, lit spokes, cabins that hang level."""
    x, y, z = hub
    order = [PINK, AMBER, BLUE, AMBER]
    for reach, count in ((radius, 96), (radius * 0.72, 64)):
        stage.tube(ring(hub, reach, 72, upright=True), 0.12, iron, closed=True)
        for k, at in enumerate(ring(hub, reach, count, upright=True)):
            stage.place(bulb, (at[0], y - 0.3, at[2]), scale=(0.13,) * 3, coat=glows[order[k // 4 % 4]])
    for k in range(16):
        a = math.tau * k / 16
        end = (x + radius * math.cos(a), y, z + radius * math.sin(a))
        stage.tube([hub, end], 0.07, iron)
        for step in np.linspace(0.15, 0.95, 10):
            at = (x + radius * step * math.cos(a), y - 0.25, z + radius * step * math.sin(a))
            stage.place(bulb, at, scale=(0.10,) * 3, coat=glows[WARM if k % 2 else PINK])
        cabin = stage.material([(0.4, 0.03, 0.03), (0.05, 0.12, 0.4), (0.5, 0.3, 0.04)][k % 3], 0.4)
        stage.box((end[0], y, end[2] - 0.9), (1.3, 1.2, 1.2), cabin, bevel=0.2, segments=3)
        stage.box((end[0], y - 0.62, end[2] - 0.75), (0.9, 0.04, 0.5), stage.glowing(WARM, 1.2))
    for side in (-1, 1):
        stage.tube([hub, (x + side * 6, y, 0)], 0.28, iron)
    stage.place(bulb, (x, y - 0.8, z), scale=(1.0, 0.3, 1.0), coat=stage.glowing(AMBER, 4))


def _carousel(stage, at, radius, bulb, glows):
    """A striped roof with a lit rim over gilt poles, and a lit drum in the middle."""
    x, y, _ = at
    cream, red = stage.material((0.62, 0.52, 0.38), 0.6), stage.material((0.42, 0.03, 0.03), 0.6)
    gold = stage.material(GILT, 0.3, 1.0)
    for k in range(24):
        a, b = math.tau * k / 24, math.tau * (k + 1) / 24
        points = [(x + radius * math.cos(t), y + radius * math.sin(t), 3.7) for t in (a, b)]
        stage.place(stage.mesh([*points, (x, y, 5.6)], [(0, 1, 2)]), coat=cream if k % 2 else red)
    stage.lathe(
        [(radius, 3.35), (radius + 0.08, 3.4), (radius + 0.08, 3.85), (radius, 3.9)], 64, gold, (x, y, 0)
    )
    for k, point in enumerate(ring((x, y, 3.62), radius + 0.16, 60)):
        stage.place(bulb, point, scale=(0.06,) * 3, coat=glows[WARM])
    for k, point in enumerate(ring((x, y, 3.34), radius + 0.1, 40)):
        stage.place(bulb, point, scale=(0.05,) * 3, coat=glows[PINK if k % 2 else AMBER])
    stage.lathe([(radius, 0), (radius, 0.35), (0, 0.36)], 64, red, (x, y, 0))
    stage.lathe([(1.3, 0.35), (1.3, 3.5)], 32, stage.glowing(WARM, 1.3, uneven=1.4), (x, y, 0))
    for k, point in enumerate(ring((x, y, 0.36), radius * 0.78, 14)):
        stage.tube([point, (point[0], point[1], 3.5)], 0.035, gold)
        stage.box(
            (point[0], point[1], 1.2 + 0.25 * math.sin(k * 2.1)),
            (0.35, 0.8, 0.5),
            cream if k % 2 else gold,
            bevel=0.14,
            segments=3,
        )
    stage.lamp('POINT', (x, y - radius - 0.6, 3.0), 160, (1, 0.62, 0.32), 0.4)


def _stall(stage, chance, side, y, number, bulb, glows):
    """A booth with a striped awning, a lit counter and bulbs along its edge."""
    x, deep, wide = side * 4.9, 2.0, 3.5
    tones = [
        (0.45, 0.03, 0.03),
        (0.04, 0.14, 0.42),
        (0.04, 0.30, 0.16),
        (0.46, 0.22, 0.03),
        (0.40, 0.05, 0.20),
    ]
    tone = tones[(number * 2 + (side > 0)) % 5]
    dyed, cream = stage.material(tone, 0.7), stage.material((0.62, 0.56, 0.46), 0.7)
    timber = wood(stage, darker((0.26, 0.14, 0.07), 0.8))
    stage.box((x + side * 0.9, y, 1.7), (0.2, wide, 3.2), timber)
    stage.box((x + side * 0.8, y, 1.95), (0.05, wide - 0.3, 1.5), stage.glowing(WARM, 1.1, uneven=1.8))
    stage.box((x - side * 0.7, y, 0.55), (0.5, wide, 1.1), dyed, bevel=0.02)
    stage.box((x - side * 0.75, y, 1.12), (0.7, wide + 0.1, 0.06), timber, bevel=0.015)
    for k in range(10):
        slope = math.radians(24) * side
        stage.box(
            (x - side * 0.1, y - wide / 2 + wide * (k + 0.5) / 10, 3.05),
            (deep + 0.5, wide / 10, 0.04),
            dyed if k % 2 else cream,
            (0, slope, 0),
        )
    colours = [AMBER, PINK, MINT, BLUE, RED]
    for k in range(13):
        stage.place(
            bulb,
            (x - side * 1.28, y - wide / 2 + wide * k / 12, 2.50),
            scale=(0.05,) * 3,
            coat=glows[WARM if k % 2 else colours[number % 5]],
        )
    for _ in range(16):
        stage.place(
            bulb,
            (x + side * 0.5, y + chance.uniform(-1.5, 1.5), chance.uniform(1.4, 2.6)),
            scale=(chance.uniform(0.08, 0.16),) * 3,
            coat=stage.material(chance.choice(tones), 0.5),
        )
    stage.lamp('AREA', (x, y, 2.6), 40, (1, 0.66, 0.36), 1.2, (x - side * 1.2, y, 0))


def picture(shot: Shot):
    colour, depth = _wet_paving(shot)
    air = np.where(depth > 1e4, 0, depth)
    picture = lens_blur(hazed(colour, air, 70, 0.28, (0.13, 0.07, 0.11)), depth, LENS)
    return paved(picture, camera(shot.shape), shot.depth, LENS)


def _wet_paving(shot):
    """Lamps mirrored in rough wet ground are drawn out downwards, and as far out of focus as the lamps."""
    paving = is_ground(camera(shot.shape), shot.depth).astype(np.float32)[..., None]
    spread = {'sigmaX': 7 * shot.scale, 'sigmaY': 34 * shot.scale}
    drawn = cv2.GaussianBlur(shot.colour * paving, (0, 0), **spread)
    share = np.maximum(cv2.GaussianBlur(paving, (0, 0), **spread), 1e-3)[..., None]
    depth = np.where(paving[..., 0] > 0, np.maximum(shot.depth, np.minimum(15, shot.depth * 5)), shot.depth)
    return shot.colour * (1 - paving) + drawn / share * paving * 0.8, depth
