"""An old harbour at dusk: painted houses across the water, boats at their moorings, lamps along the quay."""

import math

import numpy as np

import skies
from camera import Camera
from develop import Grade, Lens, hazed, lens_blur
from materials import IRON, facade, water, wood, worn
from pieces import slabs
from shot import Shot

SCENE = {
    'title': 'Harbour at dusk',
    'tags': (
        'harbour, harbor, port, boats, sailing, marina, dusk, seaside, pier, quay, italy, scandinavia, '
        'copenhagen, sailor, fishing village'
    ).split(', '),
    'light': {
        'key': 0.19,
        'direction': [-0.5, 0.6, 0.62],
        'color': [1.0, 0.82, 0.64],
        'fill': [0.5, 0.52, 0.68],
    },
    'grade': {'contrast': 0.14, 'vignette': 0.22},
}
SAMPLES = 10
SHARE = 0.56
TRACE = {'bounces': 2, 'clamp': 3.0, 'least': 5}
BAND = 0.23
LENS = Lens(focus=2.8, radius=15, sparkle=0.2)
GRADE = Grade(exposure=0.45, contrast=1.38, saturation=1.26, bloom=0.06, vignette=0.3, grain=0.010)

QUAY, FAR = 7.5, 46.0
PAINTS = [
    (0.42, 0.12, 0.07),
    (0.45, 0.27, 0.08),
    (0.12, 0.20, 0.28),
    (0.40, 0.35, 0.27),
    (0.34, 0.09, 0.08),
    (0.15, 0.24, 0.17),
    (0.46, 0.31, 0.20),
]
LIGHTS = [(1, 0.42, 0.12), (1, 0.50, 0.18), (1, 0.60, 0.28)]


def camera(shape):
    return Camera(eye=(0, -2.4, 1.6), target=(0, 14, 2.2), lens=36)


def build(stage, shape):
    chance = stage.clear(101)
    iron = stage.material(IRON, 0.45, 0.7)
    setts = worn(stage, (0.21, 0.19, 0.17), 0.4, 1.6, (0.10, 0.42), 0.5)
    slabs(stage, chance, setts, (-9, 9), (-1.8, QUAY), 0.31, gap=0.016, tilt=0.012)
    stage.box((0, QUAY - 0.1, -0.10), (40, 0.6, 0.32), worn(stage, (0.24, 0.22, 0.20), 0.5), bevel=0.03)
    stage.plane((0, 60, -1.1), 300, 105, water(stage, (0.010, 0.022, 0.040), 0.9, 0.22))
    _houses(stage, chance)
    _lamps(stage, iron)
    for x, y, long, tone, side in (
        (-8.2, 21, 8, (0.55, 0.53, 0.48), 1),
        (9.0, 24, 9, (0.04, 0.08, 0.15), -1),
        (-13.5, 30, 9, (0.30, 0.05, 0.04), 1),
        (6.4, 35, 7, (0.50, 0.48, 0.45), 1),
        (17.0, 32, 9, (0.42, 0.40, 0.36), -1),
        (-5.4, 39, 7, (0.06, 0.12, 0.12), -1),
    ):
        _boat(stage, chance, (x, y), long, tone, side, iron)
    _bollards(stage, iron)
    stage.lamp('AREA', (-2.4, -2.2, 3.8), 300, (1, 0.74, 0.48), 2, (0, 3, 0.4))
    stops = [
        (0.0, (0.62, 0.30, 0.18)),
        (0.07, (0.46, 0.27, 0.26)),
        (0.18, (0.20, 0.20, 0.34)),
        (0.5, (0.055, 0.085, 0.22)),
    ]
    stage.sky(
        shade=lambda nodes: skies.clouded(
            nodes, stops, (0.42, 0.20, 0.20), glow=(-0.2, (1.0, 0.36, 0.10), 0.42)
        ),
        strength=0.85,
    )


def _houses(stage, chance):
    coats = [facade(stage, paint, LIGHTS, 0.38, 0.6, 1.9, 2.9) for paint in PAINTS]
    roof = worn(stage, (0.14, 0.055, 0.04), 0.5, 2.0)
    shop = stage.glowing((1, 0.42, 0.12), 0.42, uneven=0.8)
    stage.box((0, FAR - 1.5, -0.55), (160, 4, 1.3), worn(stage, (0.18, 0.17, 0.16), 0.5))
    x = -46.0
    while x < 46:
        wide, tall = chance.uniform(4.8, 7.2), chance.choice([8.7, 11.6, 11.6, 14.5])
        stage.box((x + wide / 2, FAR + 5, tall / 2), (wide - 0.05, 10, tall), chance.choice(coats))
        peak = wide * chance.uniform(0.42, 0.6)
        ends = [
            (x, FAR - 0.1, tall),
            (x + wide, FAR - 0.1, tall),
            (x + wide / 2, FAR - 0.1, tall + peak),
            (x, FAR + 10, tall),
            (x + wide, FAR + 10, tall),
            (x + wide / 2, FAR + 10, tall + peak),
        ]
        stage.place(stage.mesh(ends, [(0, 1, 2), (3, 5, 4), (0, 2, 5, 3), (1, 4, 5, 2)]), coat=roof)
        stage.box((x + wide / 2, FAR - 0.06, 1.3), (wide * 0.7, 0.1, 1.7), shop)
        if chance.random() < 0.7:
            stage.box((x + wide * 0.25, FAR + 3, tall + peak * 0.8), (0.8, 0.8, 2.4), roof)
        x += wide
    stage.box((9, FAR + 40, 12), (6, 6, 26), coats[3])
    stage.lathe(
        [(4.2, 0), (0.2, 13), (0.0, 13)],
        8,
        stage.material((0.06, 0.13, 0.12), 0.6),
        (9, FAR + 40, 25),
        smooth=False,
    )


def _lamps(stage, iron):
    """Cast-iron lamps on this quay, and a row of small ones across the water."""
    globe, near, far = (
        stage.ball(16, 12),
        stage.glowing((1, 0.56, 0.22), 9),
        stage.glowing((1, 0.50, 0.18), 26),
    )
    for x, y in ((-3.1, 6.2), (3.5, 6.6), (-6.4, 6.9), (6.9, 6.9)):
        stage.lathe([(0.16, 0), (0.14, 0.25), (0.06, 0.4), (0.05, 3.0), (0.08, 3.05)], 16, iron, (x, y, 0))
        stage.place(globe, (x, y, 3.28), scale=(0.17, 0.17, 0.21), coat=near)
        stage.lathe([(0.19, 0), (0.05, 0.14), (0.01, 0.22)], 16, iron, (x, y, 3.44))
        stage.lamp('POINT', (x, y - 0.2, 3.25), 190, (1, 0.62, 0.32), 0.2)
    for k in range(-9, 10):
        stage.place(globe, (k * 5 + 1.3, FAR - 2.6, 3.4), scale=(0.17,) * 3, coat=far)
        stage.tube([(k * 5 + 1.3, FAR - 2.6, 0), (k * 5 + 1.3, FAR - 2.6, 3.3)], 0.06, iron)
        stage.lamp('POINT', (k * 5 + 1.3, FAR - 2.6, 3.2), 120, (1, 0.55, 0.24), 0.2)


def _boat(stage, chance, at, long, tone, side, iron):
    """A hull from its ribs, a cabin with lit windows, a mast with stays and a riding light."""
    x, y = at
    t, s = np.meshgrid(np.linspace(0, 1, 24), np.linspace(-1, 1, 17))
    beam = long * 0.15 * np.sin(math.pi * np.clip(t * 0.62 + 0.36, 0, 1)) ** 0.7
    deep = 1.05 - 0.25 * np.abs(2 * t - 1)
    sheer = 0.15 + 0.65 * (t - 0.25) ** 2
    px, py = side * (t - 0.5) * long, beam * np.sign(s) * np.abs(s) ** 0.6
    pz = sheer - deep * (1 - np.abs(s) ** 2.2)
    stage.sheet(px, py, pz, stage.material(tone, 0.35), (x, y, -0.75))
    deck, trim = wood(stage, (0.24, 0.13, 0.06)), stage.material((0.62, 0.60, 0.55), 0.5)
    stage.sheet(px[[0, -1]], py[[0, -1]] * 0.97, pz[[0, -1]] - 0.08, deck, (x, y, -0.75))
    roof = x - side * long * 0.05
    stage.box((roof, y, -0.42), (long * 0.34, long * 0.15, 0.42), deck, bevel=0.12, segments=4)
    stage.box((roof, y, -0.20), (long * 0.30, long * 0.12, 0.06), trim, bevel=0.03)
    port = stage.glowing((1, 0.52, 0.2), 1.6)
    for k in (-0.11, -0.04, 0.03, 0.10):
        stage.place(
            stage.ball(10, 6), (roof + k * long, y - long * 0.076, -0.36), scale=(0.08, 0.02, 0.06), coat=port
        )
    mast, tall = x + side * long * 0.12, long * 1.15
    stage.tube([(mast, y, -0.5), (mast, y, tall)], 0.055, deck)
    stage.tube(
        [(mast, y, 0.75), (mast - side * long * 0.42, y, 0.85)], 0.11, stage.material((0.55, 0.50, 0.40), 0.9)
    )
    for end in (-0.48, 0.48):
        stage.tube([(x + end * long, y, -0.3), (mast, y, tall - 0.1)], 0.014, iron)
    stage.place(
        stage.ball(8, 6), (mast, y, tall + 0.05), scale=(0.06,) * 3, coat=stage.glowing((1, 0.85, 0.62), 70)
    )


def _bollards(stage, iron):
    for x in (-5.2, -1.9, 1.9, 5.2):
        stage.lathe(
            [
                (0.22, 0),
                (0.2, 0.06),
                (0.12, 0.12),
                (0.11, 0.42),
                (0.19, 0.48),
                (0.19, 0.56),
                (0.10, 0.62),
                (0, 0.62),
            ],
            24,
            iron,
            (x, QUAY - 0.55, 0),
        )
    rope = stage.material((0.32, 0.26, 0.18), 0.9)
    for a, b in ((-1.9, -5.2), (1.9, 5.2)):
        stage.tube(
            [(a + (b - a) * t, QUAY - 0.55, 0.40 - 0.28 * 4 * t * (1 - t)) for t in np.linspace(0, 1, 16)],
            0.03,
            rope,
        )


def picture(shot: Shot):
    return lens_blur(hazed(shot.colour, shot.depth, 160, 0.22, (0.32, 0.20, 0.19)), shot.depth, LENS)
