"""On the boards of an old theatre: a red velvet curtain, gathered drapes, footlights, a spot from above."""

import math

from camera import Camera
from develop import Grade, Lens, hazed, lens_blur
from materials import BRASS, GILT, velvet, wood
from pieces import curtain, planks
from shot import Shot

SCENE = {
    'title': 'Theatre stage',
    'tags': (
        'theatre, theater, curtain, velvet, stage, opera, actor, drama, premiere, cabaret, broadway, circus, '
        'comedy, red, show'
    ).split(', '),
    # stated, not measured: the boards are dark, but the spot is on whoever stands there
    'light': {
        'key': 0.2,
        'direction': [0.0, 0.72, 0.69],
        'color': [1.0, 0.82, 0.6],
        'fill': [0.5, 0.3, 0.3],
    },
    'grade': {'contrast': 0.16, 'vignette': 0.26},
}
SAMPLES = 12
SHARE = 0.56
TRACE = {'bounces': 3, 'clamp': 2.0, 'least': 8}
BAND = 0.24
LENS = Lens(focus=2.8, radius=9, sparkle=0.2)
GRADE = Grade(exposure=0.3, contrast=1.4, saturation=1.12, bloom=0.07, vignette=0.42, grain=0.010)

BACK = 6.2


def camera(shape):
    return Camera(eye=(0, -2.4, 1.5), target=(0, 8, 1.95), lens=34)


def build(stage, shape):
    chance = stage.clear(41)
    red, gold = velvet(stage, (0.30, 0.006, 0.010)), stage.material(GILT, 0.34, 1.0)
    deep = velvet(stage, (0.20, 0.004, 0.008))
    planks(stage, chance, wood(stage, (0.20, 0.092, 0.042), rough=(0.24, 0.42)), (-6, 6), (-3, 8), 0.16)
    curtain(stage, red, (-7, 0.12), (0.02, 8), BACK, seed=3)
    curtain(stage, red, (7, -0.12), (0.02, 8), BACK, seed=8)
    stage.box((0, BACK, 0.10), (13, 0.42, 0.10), gold, bevel=0.03)
    for side in (-1, 1):
        curtain(
            stage, deep, (side * 5.4, side * 0.9), (0.02, 6.4), 3.7, 2.0, 0.15, 11 + side, gather=(2.0, 0.42)
        )
        _tassel(stage, side, gold)
        curtain(stage, deep, (side * 6.5, side * 3.0), (0.02, 6.4), 2.3, 2.0, 0.14, 17 + side)
    _valance(stage, deep, gold)
    _footlights(stage, gold)
    for side in (-1, 1):  # across the folds, so that they show
        stage.lamp(
            'SPOT',
            (side * 3.4, 2.6, 3.6),
            1500,
            (1, 0.80, 0.55),
            0.15,
            (-side * 1.6, BACK, 2.3),
            cone=1.0,
            softness=1.0,
        )
        stage.lamp(
            'SPOT',
            (side * 2.6, -1.2, 3.7),
            700,
            (1, 0.80, 0.55),
            0.18,
            (0, BACK, 2.4),
            cone=0.8,
            softness=1.0,
        )
    stage.lamp('SPOT', (0.4, -2.0, 6.0), 1500, (1, 0.84, 0.62), 0.2, (0, 2.6, 0), cone=0.62, softness=0.8)
    stage.lamp('AREA', (0, -4, 3.2), 90, (1, 0.75, 0.55), 4, (0, 4, 1.5))
    stage.lamp('AREA', (0, 4.2, 5.8), 170, (1, 0.72, 0.48), 9, (0, BACK + 0.6, 2.2), height=0.5)
    stage.sky((0.02, 0.012, 0.012), 0.4)


def _tassel(stage, side, gold):
    x = side * 4.05
    stage.tube([(side * 5.3, 3.55, 2.12), (x, 3.44, 1.93), (side * 3.35, 3.60, 2.02)], 0.035, gold)
    stage.lathe(
        [(0.0, 0.0), (0.075, 0.02), (0.06, 0.34), (0.045, 0.38), (0.06, 0.44), (0.0, 0.5)],
        24,
        gold,
        (x, 3.40, 1.42),
    )


def _valance(stage, cloth, gold):
    """Swags across the top, each a hanging half-round with a gold edge."""
    import numpy as np

    for k in range(-3, 4):
        middle, half = k * 1.7, 0.95
        u, v = np.meshgrid(np.linspace(-1, 1, 50), np.linspace(0, 1, 24))
        drop = (0.35 + 0.75 * (1 - u**2)) * v
        folds = 0.10 * np.sin(v * 15) * (1 - u**2) + 0.16 * (1 - u**2) * v
        y = 3.25 - folds
        stage.sheet(middle + half * u, y, 5.0 - drop, cloth)
        stage.tube(list(zip((middle + half * u)[-1], (y - 0.02)[-1], (5.0 - drop)[-1])), 0.035, gold)
        stage.lathe(
            [(0.0, 0.0), (0.06, 0.03), (0.05, 0.3), (0.0, 0.4)], 16, gold, (middle + half * 0.9, 3.2, 4.25)
        )
    stage.box((0, 3.3, 5.25), (13, 0.3, 0.55), gold, bevel=0.06)
    stage.box((0, 3.3, 6.0), (13, 0.2, 1.2), cloth)


def _footlights(stage, gold):
    """Small shell lamps along the foot of the curtain; they light it from below."""
    bulb, glow = stage.ball(14, 10), stage.glowing((1, 0.62, 0.28), 60)
    brass = stage.material(BRASS, 0.3, 1.0)
    for k in range(-8, 9):
        x = k * 0.62
        stage.place(bulb, (x, BACK - 0.75, 0.10), scale=(0.045,) * 3, coat=glow)
        stage.lathe(
            [(0.02, 0), (0.10, 0.02), (0.13, 0.10)],
            16,
            brass,
            (x, BACK - 0.83, 0.0),
            (math.radians(-35), 0, 0),
        )
        stage.lamp('POINT', (x, BACK - 0.7, 0.2), 7, (1, 0.58, 0.25), 0.05)


def picture(shot: Shot):
    return lens_blur(hazed(shot.colour, shot.depth, 14, 0.16, (0.22, 0.10, 0.06)), shot.depth, LENS)
