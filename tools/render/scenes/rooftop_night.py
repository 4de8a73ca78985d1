"""A roof terrace above a city at night: strings of bulbs, lanterns on the deck, ten thousand windows beyond."""

import math

from camera import Camera
from develop import Grade, Lens, hazed, lens_blur
from materials import IRON, facade, wood
from pieces import bulb_string, candle_lantern, planks
from shot import Shot

SCENE = {
    'title': 'Rooftop above the city',
    'tags': (
        'rooftop, terrace, skyline, skyscrapers, city lights, new york, manhattan, night, party, cocktail, '
        'urban, bokeh, penthouse, date'
    ).split(', '),
    'light': {
        'key': 0.18,
        'direction': [-0.3, 0.7, 0.65],
        'color': [1.0, 0.76, 0.5],
        'fill': [0.38, 0.42, 0.62],
    },
    'grade': {'contrast': 0.16, 'vignette': 0.22},
}
SAMPLES = 14
SHARE = 0.5
TRACE = {'bounces': 3, 'clamp': 4.0}
BAND = 0.26
LENS = Lens(focus=2.7, radius=16, sparkle=0.2, layers=14)
GRADE = Grade(
    exposure=0.3,
    balance=(0.98, 1.0, 1.10),
    contrast=1.34,
    saturation=1.30,
    bloom=0.06,
    vignette=0.32,
    grain=0.010,
)

DECK = 5.6
LIGHTS = [
    (1, 0.45, 0.14),
    (1, 0.58, 0.26),
    (1, 0.76, 0.50),
    (1, 0.40, 0.12),
    (0.45, 0.70, 1),
    (1, 0.62, 0.32),
]


def camera(shape):
    return Camera(eye=(0, -2.2, 1.6), target=(0, 12, 1.95), lens=36)


def build(stage, shape):
    chance = stage.clear(61)
    iron, bulb = stage.material(IRON, 0.4, 0.9), stage.ball(12, 8)
    glow = stage.glowing((1, 0.44, 0.13), 26)
    planks(
        stage,
        chance,
        wood(stage, (0.20, 0.115, 0.066), rough=(0.22, 0.42)),
        (-6.5, 6.5),
        (-3, DECK),
        0.15,
        longest=3.6,
    )
    stage.box((0, 0, -1.0), (16, 2 * DECK + 0.4, 1.9), iron)
    _city(stage, chance)
    _railing(stage, iron)
    _poles_and_bulbs(stage, chance, iron, bulb, glow)
    _corners(stage, chance, iron, glow)
    stage.lamp('AREA', (-2.5, -1.5, 4.2), 280, (1, 0.74, 0.46), 2.5, (0, 3, 0.6))
    stage.lamp('AREA', (3.5, 1.0, 4.5), 110, (0.55, 0.65, 1), 3, (0, 4, 0.3))
    stage.sky(shade=_night, strength=1.0)


def _night(nodes):
    """Deep blue overhead, the city's orange on the haze low down."""
    up = nodes.along(nodes.add('ShaderNodeTexCoord').outputs['Generated'])[2]
    stops = [
        (0.0, (0.24, 0.12, 0.085)),
        (0.06, (0.16, 0.095, 0.12)),
        (0.20, (0.050, 0.056, 0.13)),
        (0.6, (0.010, 0.018, 0.055)),
    ]
    return nodes.ramp(up, stops)


def _city(stage, chance):
    coats = [
        facade(stage, wall, LIGHTS, lit, power, bay, storey)
        for wall, lit, power, bay, storey in (
            ((0.030, 0.034, 0.045), 0.30, 1.5, 2.6, 3.4),
            ((0.040, 0.034, 0.030), 0.22, 1.3, 3.4, 3.8),
            ((0.020, 0.026, 0.036), 0.38, 1.9, 2.0, 3.6),
            ((0.034, 0.030, 0.036), 0.18, 1.8, 4.2, 4.2),
        )
    ]
    beacon, drop = stage.glowing((1, 0.03, 0.02), 120), stage.ball(10, 8)
    crown = [stage.glowing(colour, 3) for colour in ((1, 0.62, 0.3), (0.35, 0.6, 1), (0.9, 0.3, 0.6))]
    for _ in range(420):
        y = 190 * (2200 / 190) ** chance.random() ** 0.8
        x = chance.uniform(-0.75, 0.75) * y
        wide, deep = chance.uniform(14, 34), chance.uniform(14, 30)
        centre = 1 - 0.55 * math.exp(-((x / y / 0.16) ** 2)) * (y < 700)
        top = (
            chance.uniform(0.02, 0.20) * y * centre
            if chance.random() < 0.8
            else chance.uniform(0.18, 0.36) * y * centre
        ) + 2
        if y < 330 and abs(x / y) < 0.12:
            top = min(top, -4)
        stage.box((x, y, top / 2 - 60), (wide, deep, top + 120), chance.choice(coats))
        if top > 40 and chance.random() < 0.35:
            stage.box((x, y, top + 2.2), (wide * 0.7, deep * 0.7, 3.6), chance.choice(crown))
        if top > 60 and chance.random() < 0.22:
            stage.tube([(x, y, top), (x, y, top + 40)], 0.9, coats[0])
            stage.place(drop, (x, y, top + 40), scale=(1.3,) * 3, coat=beacon)


def _railing(stage, iron):
    for y in (DECK,):
        stage.box((0, y, 1.12), (14, 0.07, 0.05), iron, bevel=0.01)
        stage.box((0, y, 0.12), (14, 0.05, 0.04), iron)
        for k in range(-54, 55):
            stage.box((k * 0.13, y, 0.62), (0.016, 0.016, 1.0), iron)
        for k in range(-4, 5):
            stage.box((k * 1.7, y, 0.57), (0.06, 0.06, 1.14), iron, bevel=0.008)


def _poles_and_bulbs(stage, chance, iron, bulb, glow):
    """Poles at the edge of the deck, the strings fan out from them towards the camera."""
    for side in (-1, 1):
        for y in (DECK - 0.15, 2.2):
            stage.tube([(side * 3.6, y, 0), (side * 3.6, y, 3.5)], 0.035, iron)
    lines = [
        ((-3.6, DECK - 0.15, 3.45), (3.6, DECK - 0.15, 3.45), 21, 0.55),
        ((-3.6, DECK - 0.15, 3.45), (3.6, 2.2, 3.45), 19, 0.5),
        ((3.6, DECK - 0.15, 3.45), (-3.6, 2.2, 3.45), 19, 0.5),
        ((-3.6, DECK - 0.15, 3.45), (-3.6, 2.2, 3.45), 10, 0.25),
        ((3.6, DECK - 0.15, 3.45), (3.6, 2.2, 3.45), 10, 0.25),
    ]
    for start, end, count, sag in lines:
        bulb_string(stage, bulb, glow, iron, start, end, count, sag, 0.032, chance)


def _corners(stage, chance, iron, glow):
    """Low sofas against the railing at both sides, with lanterns beside them."""
    linen, seat = stage.material((0.42, 0.39, 0.35), 0.9), wood(stage, (0.10, 0.06, 0.035))
    for side in (-1, 1):
        stage.box((side * 2.9, DECK - 0.75, 0.17), (2.5, 0.95, 0.30), seat, bevel=0.02)
        for k in (-1, 0, 1):
            stage.box(
                (side * 2.9 + k * 0.8, DECK - 0.8, 0.42), (0.78, 0.85, 0.20), linen, bevel=0.07, segments=4
            )
            stage.box(
                (side * 2.9 + k * 0.8, DECK - 0.42, 0.70),
                (0.76, 0.22, 0.48),
                linen,
                (-0.22, 0, 0),
                bevel=0.08,
                segments=4,
            )
        for x, y, tall in (
            (1.35, DECK - 0.55, 0.55),
            (1.62, DECK - 0.95, 0.38),
            (3.4, 2.6, 0.6),
            (3.1, 2.25, 0.4),
        ):
            candle_lantern(stage, (side * x, y, 0), iron, glow, tall, 16)


def picture(shot: Shot):
    return lens_blur(hazed(shot.colour, shot.depth, 620, 0.62, (0.070, 0.058, 0.095)), shot.depth, LENS)
