"""A speakeasy after midnight: a wall of backlit bottles, a walnut bar, green glass lamps."""

import math

from camera import Camera
from develop import Grade, Lens, hazed, lens_blur
from materials import BRASS, wood, worn
from pieces import planks
from shot import Shot

SCENE = {
    'title': 'Speakeasy',
    'tags': (
        'bar, speakeasy, cocktail, whisky, pub, jazz, twenties, gatsby, gangster, prohibition, lounge, '
        'nightclub, drinks, vintage'
    ).split(', '),
    'light': {
        'key': 0.18,
        'direction': [0.35, 0.7, 0.62],
        'color': [1.0, 0.74, 0.44],
        'fill': [0.42, 0.34, 0.3],
    },
    'grade': {'contrast': 0.17, 'vignette': 0.26},
}
SAMPLES = 9
SHARE = 0.56
TRACE = {'bounces': 3, 'clamp': 3.0, 'least': 5}
BAND = 0.22
LENS = Lens(focus=2.3, radius=10, sparkle=0.15)
GRADE = Grade(exposure=0.45, contrast=1.34, saturation=1.16, bloom=0.06, vignette=0.38, grain=0.011)

BAR, BACK = 3.1, 4.9
GLASS = [
    (0.75, 0.28, 0.05),
    (0.55, 0.16, 0.03),
    (0.20, 0.38, 0.10),
    (0.85, 0.62, 0.30),
    (0.30, 0.07, 0.02),
    (0.75, 0.74, 0.66),
    (0.10, 0.25, 0.30),
    (0.9, 0.42, 0.10),
]
PROFILES = [
    [
        (0.0, 0.0),
        (0.040, 0.0),
        (0.042, 0.20),
        (0.036, 0.225),
        (0.016, 0.26),
        (0.014, 0.32),
        (0.018, 0.325),
        (0.0, 0.33),
    ],
    [
        (0.0, 0.0),
        (0.052, 0.0),
        (0.055, 0.12),
        (0.045, 0.16),
        (0.017, 0.19),
        (0.016, 0.25),
        (0.022, 0.255),
        (0.0, 0.26),
    ],
    [(0.0, 0.0), (0.036, 0.0), (0.037, 0.23), (0.028, 0.27), (0.013, 0.31), (0.013, 0.36), (0.0, 0.365)],
    [
        (0.0, 0.0),
        (0.047, 0.01),
        (0.060, 0.07),
        (0.046, 0.13),
        (0.015, 0.17),
        (0.014, 0.24),
        (0.026, 0.25),
        (0.020, 0.29),
        (0.0, 0.30),
    ],
]


def camera(shape):
    return Camera(eye=(0.25, -2.6, 1.55), target=(0, 6, 1.75), lens=36)


def build(stage, shape):
    chance = stage.clear(19)
    walnut, dark = (
        wood(stage, (0.17, 0.066, 0.030), (0.7, 6, 6)),
        wood(stage, (0.055, 0.024, 0.012), (0.7, 6, 6)),
    )
    brass = stage.material(BRASS, 0.25, 1.0)
    planks(stage, chance, wood(stage, (0.15, 0.078, 0.042), rough=(0.2, 0.36)), (-6, 6), (-3, 6), 0.15)
    _back_bar(stage, chance, walnut, dark, brass)
    _counter(stage, chance, walnut, dark, brass)
    for x in (-2.3, -0.95, 0.95, 2.3, 3.7, -3.7):
        _pendant(stage, (x, BAR, 2.25), brass)
    _edison_bulbs(stage, chance, brass)
    _side_walls(stage, chance, dark, brass)
    stage.box((0, 2, 4.1), (12, 12, 0.1), dark)
    stage.lamp('AREA', (1.6, -2.2, 3.2), 330, (1, 0.78, 0.52), 1.6, (0, 3, 0.6))
    stage.sky((0.02, 0.014, 0.010), 0.4)


def _back_bar(stage, chance, walnut, dark, brass):
    """Five bays of shelves before amber glass, a lamp strip under every shelf."""
    stage.box((0, BACK + 0.35, 2), (12, 0.1, 4.2), dark)
    panel = stage.glowing((1, 0.46, 0.13), 0.75, uneven=1.6)
    strip = stage.glowing((1, 0.54, 0.20), 2.0)
    bottles = [(profile, coat) for profile in _bottle_meshes(stage) for coat in _glasses(stage)]
    for bay in range(-3, 4):
        x = bay * 1.7
        stage.box((x, BACK + 0.28, 2.15), (1.5, 0.03, 2.2), panel)
        for edge in (-0.82, 0.82):
            stage.box((x + edge, BACK + 0.05, 2.0), (0.10, 0.5, 2.7), walnut, bevel=0.02)
            stage.box((x + edge, BACK - 0.20, 2.0), (0.05, 0.06, 2.6), brass, bevel=0.01)
        for row in range(5):
            z = 1.12 + row * 0.46
            stage.box((x, BACK + 0.05, z), (1.56, 0.42, 0.035), walnut, bevel=0.006)
            stage.box((x, BACK - 0.14, z - 0.024), (1.5, 0.012, 0.012), strip)
            if row == 4:
                break
            for deep in (0.12, -0.04):
                at = x - 0.68
                while at < x + 0.70:
                    profile, coat = chance.choice(bottles)
                    size = chance.uniform(0.98, 1.22)
                    stage.place(
                        profile,
                        (at, BACK + deep, z + 0.018),
                        (0, 0, chance.uniform(0, 6)),
                        (size, size, size),
                        coat,
                    )
                    at += chance.uniform(0.11, 0.19)
    stage.box((0, BACK + 0.02, 3.42), (12, 0.6, 0.25), walnut, bevel=0.05)
    stage.box((0, BACK - 0.05, 3.62), (12, 0.8, 0.12), walnut, bevel=0.04)
    stage.box((0, BACK, 0.5), (12, 0.6, 1.1), walnut, bevel=0.02)


def _bottle_meshes(stage):
    return [stage.lathe(profile, 20, None, (0, 0, -50)).data for profile in PROFILES]


def _glasses(stage):
    """Spirits lit from behind: the colour passes the light on, the surface catches the lamps."""
    return [
        stage.material(tone, 0.06, 0.0, 0.8, glow=tone, strength=0.10, **{'Transmission': 0.82, 'IOR': 1.12})
        for tone in GLASS
    ]


def _counter(stage, chance, walnut, dark, brass):
    top = wood(stage, (0.10, 0.036, 0.016), (0.7, 6, 6), (0.08, 0.18))
    stage.box((0, BAR, 1.08), (12, 0.75, 0.07), top, bevel=0.03, segments=4)
    stage.box((0, BAR + 0.05, 0.53), (12, 0.5, 1.06), dark)
    for k in range(-6, 7):
        stage.box((k * 0.95, BAR - 0.21, 0.56), (0.78, 0.05, 0.72), walnut, bevel=0.025)
        stage.box((k * 0.95 + 0.475, BAR - 0.22, 0.55), (0.09, 0.07, 1.0), walnut, bevel=0.02)
    stage.tube([(-6, BAR - 0.45, 0.22), (6, BAR - 0.45, 0.22)], 0.028, brass)
    leather = worn(stage, (0.22, 0.035, 0.02), 0.5, 6, (0.3, 0.5), 0.2)
    for x in (-3.2, -2.35, 2.35, 3.2, -1.5):
        stage.lathe(
            [(0.0, 0.80), (0.17, 0.80), (0.185, 0.84), (0.17, 0.88), (0.0, 0.90)],
            28,
            leather,
            (x, BAR - 0.72, 0),
        )
        stage.lathe([(0.19, 0), (0.18, 0.02), (0.03, 0.05), (0.025, 0.80)], 24, brass, (x, BAR - 0.72, 0))
        stage.tube(
            [
                (x + 0.14 * math.cos(a), BAR - 0.72 + 0.14 * math.sin(a), 0.32)
                for a in [math.tau * k / 20 for k in range(20)]
            ],
            0.012,
            brass,
            closed=True,
        )
    tumbler = stage.lathe(
        [(0.0, 0.0), (0.034, 0.0), (0.040, 0.095), (0.037, 0.095), (0.032, 0.012), (0.0, 0.012)],
        20,
        None,
        (0, 0, -50),
    ).data
    clear = stage.material((0.95, 0.95, 0.92), 0.03, 0.0, 0.8, **{'Transmission': 0.95, 'IOR': 1.3})
    for x in (-2.7, -2.55, -1.2, 1.5, 1.62, 2.9):
        stage.place(tumbler, (x, BAR - 0.1 + chance.uniform(-0.08, 0.1), 1.118), coat=clear)


def _pendant(stage, at, brass):
    x, y, z = at
    green = stage.material((0.012, 0.16, 0.07), 0.15, 0.0, 0.7, glow=(0.03, 0.45, 0.14), strength=0.35)
    stage.lathe(
        [(0.035, 0.16), (0.06, 0.15), (0.15, 0.06), (0.175, 0.0), (0.168, 0.0), (0.14, 0.055)], 32, green, at
    )
    stage.place(
        stage.ball(14, 10), (x, y, z + 0.03), scale=(0.04,) * 3, coat=stage.glowing((1, 0.62, 0.28), 45)
    )
    stage.tube([(x, y, z + 0.16), (x, y, 4.1)], 0.008, brass)
    stage.lathe([(0.035, 0), (0.03, 0.06), (0.01, 0.08)], 16, brass, (x, y, z + 0.16))
    stage.lamp('SPOT', (x, y, z + 0.02), 150, (1, 0.70, 0.38), 0.06, (x, y, 0), cone=2.0, softness=0.6)


def _edison_bulbs(stage, chance, brass):
    """Bare filament bulbs at uneven heights over the floor."""
    bulb, glow = stage.ball(14, 10), stage.glowing((1, 0.46, 0.13), 26)
    for _ in range(22):
        x, y, z = chance.uniform(-3.6, 3.6), chance.uniform(1.2, 4.4), chance.uniform(2.55, 3.7)
        stage.place(bulb, (x, y, z), scale=(0.035, 0.035, 0.05), coat=glow)
        stage.tube([(x, y, z + 0.05), (x, y, 4.1)], 0.005, brass)


def _side_walls(stage, chance, dark, brass):
    """Brick above dark panelling, with small wall lamps."""
    brick = worn(stage, (0.20, 0.075, 0.045), 0.5, 2.0)
    glow, shade = stage.glowing((1, 0.58, 0.25), 14), stage.ball(16, 10)
    for side in (-1, 1):
        x = side * 4.4
        stage.box((x + side * 0.2, 1.5, 2), (0.2, 9, 4.2), dark)
        stage.box((x + side * 0.05, 1.5, 0.6), (0.12, 9, 1.2), dark, bevel=0.02)
        for course in range(26):
            y = -3 - chance.random() * 0.24
            while y < 5:
                stage.box(
                    (x + side * 0.05 + chance.uniform(-0.006, 0.006), y, 1.30 + course * 0.085),
                    (0.12, 0.23, 0.073),
                    brick,
                    bevel=0.006,
                )
                y += 0.245
        for y in (0.8, 3.6):
            stage.place(shade, (x - side * 0.14, y, 2.1), scale=(0.07, 0.07, 0.10), coat=glow)
            stage.lamp('POINT', (x - side * 0.3, y, 2.15), 14, (1, 0.6, 0.3), 0.08)


def picture(shot: Shot):
    return lens_blur(hazed(shot.colour, shot.depth, 9, 0.14, (0.20, 0.11, 0.05)), shot.depth, LENS)
