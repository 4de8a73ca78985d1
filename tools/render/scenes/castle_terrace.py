"""A castle terrace at the blue hour: a stone balustrade with lanterns, towers alight, mountains over a lake."""

import numpy as np

import skies
from camera import Camera
from develop import Grade, Lens, hazed, lens_blur
from materials import IRON, facade, water, worn
from noise import Perlin
from pieces import candle_lantern, slabs
from shot import Shot

SCENE = {
    'title': 'Castle terrace at blue hour',
    'tags': (
        'castle, terrace, balcony, blue hour, evening, fairytale, romantic, lake, mountains, royal, princess, '
        'chateau, twilight, balustrade'
    ).split(', '),
    'light': {
        'key': 0.19,
        'direction': [-0.4, 0.55, 0.73],
        'color': [1.0, 0.80, 0.58],
        'fill': [0.42, 0.5, 0.74],
    },
    'grade': {'contrast': 0.14, 'vignette': 0.22},
}
SAMPLES = 9
SHARE = 0.56
TRACE = {'bounces': 2, 'clamp': 3.0, 'least': 5}
BAND = 0.22
LENS = Lens(focus=2.8, radius=10, sparkle=0.2)
GRADE = Grade(exposure=0.5, contrast=1.36, saturation=1.28, bloom=0.07, vignette=0.3, grain=0.010)

EDGE = 5.4


def camera(shape):
    return Camera(eye=(0, -2.4, 1.6), target=(0, 14, 2.3), lens=34)


def build(stage, shape):
    chance = stage.clear(67)
    stone = worn(stage, (0.36, 0.33, 0.29), 0.55, 1.3, (0.55, 0.9), 0.35)
    iron, glow = stage.material(IRON, 0.4, 0.8), stage.glowing((1, 0.50, 0.17), 75)
    slabs(
        stage,
        chance,
        worn(stage, (0.30, 0.275, 0.245), 0.45, 1.2, (0.12, 0.42), 0.4),
        (-8, 8),
        (-3, EDGE + 0.4),
        0.62,
        tilt=0.006,
    )
    _balustrade(stage, stone, iron, glow)
    _castle(stage, chance)
    _mountains(stage)
    stage.plane((0, 900, -60), 6000, 1800, water(stage, (0.012, 0.03, 0.055), 14, 0.10))
    for x in (-3.0, 3.0):
        candle_lantern(stage, (x * 1.1, 2.6, 0), iron, glow, 0.55, 30)
        candle_lantern(stage, (x * 1.0, 3.1, 0), iron, glow, 0.38, 20)
    stage.lamp('AREA', (-2.4, -2.0, 3.4), 150, (1, 0.74, 0.45), 1.8, (0, 3, 0.5))
    stops = [
        (0.0, (0.50, 0.30, 0.30)),
        (0.05, (0.36, 0.30, 0.42)),
        (0.16, (0.13, 0.20, 0.44)),
        (0.5, (0.035, 0.075, 0.24)),
    ]
    stage.sky(
        shade=lambda nodes: skies.clouded(
            nodes,
            stops,
            (0.20, 0.17, 0.30),
            cover=(0.52, 0.74),
            most=0.7,
            glow=(0.0, (0.75, 0.30, 0.16), 0.34),
        ),
        strength=0.8,
    )


def _balustrade(stage, stone, iron, glow):
    vase = [
        (0.10, 0),
        (0.10, 0.05),
        (0.05, 0.09),
        (0.06, 0.14),
        (0.105, 0.30),
        (0.085, 0.42),
        (0.045, 0.56),
        (0.055, 0.62),
        (0.10, 0.66),
        (0.10, 0.72),
    ]
    shape = stage.lathe(vase, 24, stone, (0, 0, -90)).data
    stage.box((0, EDGE, 0.09), (16, 0.42, 0.18), stone, bevel=0.02)
    stage.box((0, EDGE, 0.99), (16, 0.40, 0.15), stone, bevel=0.035)
    for k in range(-30, 31):
        if k % 8:
            stage.place(shape, (k * 0.26, EDGE, 0.18))
    for k in range(-3, 4):
        x = k * 2.08
        stage.box((x, EDGE, 0.56), (0.40, 0.44, 0.9), stone, bevel=0.02)
        stage.box((x, EDGE, 1.10), (0.50, 0.50, 0.12), stone, bevel=0.025)
        if k:
            candle_lantern(stage, (x, EDGE, 1.16), iron, glow, 0.52, 34)


def _castle(stage, chance):
    """Towers and wings on a crag to the right, and a small tower far left."""
    masonry = {'unlit': False, 'blocks': 1.3, 'pane': 0.14}
    lights = [(1, 0.42, 0.12), (1, 0.52, 0.2)]
    wall = facade(stage, (0.30, 0.275, 0.245), lights, 0.24, 1.3, 2.1, 4.4, **masonry)
    tower = facade(stage, (0.30, 0.275, 0.245), lights, 0.24, 1.3, 2.1, 4.4, turned=16, **masonry)
    slate = worn(stage, (0.045, 0.055, 0.075), 0.6, 1.2)
    towers = [
        (24, 78, 4.6, 22),
        (35, 84, 5.5, 30),
        (16, 88, 3.2, 15),
        (28, 100, 4.0, 40),
        (46, 94, 5.0, 22),
        (-58, 150, 5.0, 20),
        (-66, 158, 3.8, 28),
    ]
    for x, y, radius, top in towers:
        stage.lathe(
            [
                (radius, -70),
                (radius, top),
                (radius * 1.14, top + 0.8),
                (radius * 1.14, top + 2.4),
                (0, top + 2.4),
            ],
            32,
            tower,
            (x, y, 0),
        )
        stage.lathe(
            [(radius * 1.22, 0), (radius * 0.55, radius * 1.9), (0.05, radius * 3.4)],
            32,
            slate,
            (x, y, top + 2.4),
        )
        stage.lamp('POINT', (x - radius * 1.6, y - radius * 2.2, 2), 2000, (1, 0.56, 0.26), 0.6)
    for x, y, wide, top in ((30, 86, 16, 14), (22, 96, 14, 19), (40, 96, 14, 12)):
        stage.box((x, y, (top - 70) / 2), (wide, 12, top + 70), wall)
        peak = [
            (x - wide / 2, y - 6.3, top),
            (x + wide / 2, y - 6.3, top),
            (x + wide / 2, y + 6.3, top),
            (x - wide / 2, y + 6.3, top),
            (x - wide / 2, y, top + 6),
            (x + wide / 2, y, top + 6),
        ]
        stage.place(stage.mesh(peak, [(0, 1, 5, 4), (2, 3, 4, 5), (0, 4, 3), (1, 2, 5)]), coat=slate)
    crag = worn(stage, (0.055, 0.06, 0.065), 0.5, 0.1)
    noise = Perlin(5)
    u, v = np.meshgrid(np.linspace(-1, 1, 90), np.linspace(-1, 1, 90))
    for x, y, spread in ((34, 96, 52), (-64, 160, 40)):
        height = -6 - 62 * np.clip(np.hypot(u, v) - 0.12, 0, 1) + 9 * noise.cloud(u * 3 + x, v * 3, 6)
        stage.sheet(x + u * spread, y + v * spread * 0.8, height, crag)


def _mountains(stage):
    """Three ranges, each paler with distance through the haze."""
    rock = worn(stage, (0.10, 0.11, 0.13), 0.6, 0.004, (0.8, 0.95), 0.0)
    noise = Perlin(31)
    for number, (y, rise, wide) in enumerate(((900, 120, 1900), (1600, 330, 3600), (2700, 620, 6200))):
        u, v = np.meshgrid(np.linspace(-1, 1, 420), np.linspace(-1, 1, 60))
        ridge = noise.ridges(u * 3.2 + number * 5.7, v * 0.8 + number * 2.1, 8)
        valley = 0.35 + 0.65 * np.clip(np.abs(u + 0.06) * 3.2, 0, 1) ** 0.8
        stage.sheet(u * wide / 2, y + v * y * 0.12, -80 + rise * ridge * (1 - v**2) * valley * 0.62, rock)


def picture(shot: Shot):
    return lens_blur(
        hazed(shot.colour, np.where(shot.depth > 2e4, 0, shot.depth), 1700, 0.80, (0.24, 0.21, 0.32)),
        shot.depth,
        LENS,
    )
