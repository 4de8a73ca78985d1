"""A laboratory of the near future: tanks of lit liquid, cables, a ring gate, cyan against magenta."""

import math

import numpy as np

from camera import Camera
from develop import Grade, Lens, hazed, lens_blur
from materials import worn
from pieces import ring
from shot import Shot

SCENE = {
    'title': 'Cyberpunk laboratory',
    'tags': (
        'laboratory, lab, science, scientist, cyberpunk, futuristic, sci-fi, technology, robot, android, '
        'experiment, hacker, neon, portal, future'
    ).split(', '),
    'light': {
        'key': 0.15,
        'direction': [-0.55, 0.5, 0.67],
        'color': [0.62, 0.92, 1.0],
        'fill': [0.62, 0.32, 0.7],
    },
    'grade': {'contrast': 0.18, 'vignette': 0.26},
}
SAMPLES = 10
TRACE = {'bounces': 3, 'clamp': 3.0, 'least': 5}
BAND = 0.2
LENS = Lens(focus=2.6, radius=8, sparkle=0.2)
GRADE = Grade(exposure=0.0, contrast=1.36, saturation=1.12, bloom=0.08, vignette=0.36, grain=0.010)

HALF, END = 3.1, 15.0
CYAN, MAGENTA, TEAL = (0.05, 0.65, 1.0), (1.0, 0.04, 0.42), (0.04, 0.9, 0.62)


def camera(shape):
    return Camera(eye=(0, -2.4, 1.55), target=(0, 9, 1.75), lens=33)


def build(stage, shape):
    chance = stage.clear(53)
    steel = worn(stage, (0.10, 0.11, 0.13), 0.5, 1.6, (0.25, 0.5), 0.12, metallic=0.85)
    dark = worn(stage, (0.030, 0.033, 0.040), 0.5, 2.0, (0.3, 0.55), 0.1)
    _floor(stage, chance, dark, steel)
    for side in (-1, 1):
        _side(stage, chance, side, dark, steel)
    _ceiling(stage, chance, dark, steel)
    _gate(stage, steel, dark)
    stage.lamp('AREA', (-2.2, -2.2, 3.0), 34, (0.45, 0.85, 1), 1.6, (0, 3, 0.8))
    stage.lamp('AREA', (2.4, -1.6, 2.4), 22, (1, 0.25, 0.6), 1.4, (0, 3, 0.8))
    stage.sky((0.006, 0.010, 0.018), 0.5)


def _floor(stage, chance, dark, steel):
    tile = worn(stage, (0.035, 0.038, 0.045), 0.5, 1.4, (0.08, 0.28), 0.06)
    for row in range(-4, 20):
        for column in range(-4, 4):
            stage.box((column * 0.8 + 0.4, row * 0.8, -0.03), (0.79, 0.79, 0.06), tile, bevel=0.006)
    line = stage.glowing(CYAN, 4)
    for x in (-1.62, 1.62):
        stage.box((x, END / 2 - 1, 0.004), (0.035, END + 6, 0.012), line)


def _side(stage, chance, side, dark, steel):
    x = side * HALF
    stage.box((x + side * 0.5, END / 2 - 1, 1.9), (0.2, END + 6, 3.9), dark)
    for number in range(7):
        y = 0.6 + number * 2.1
        _tank(stage, chance, side * (HALF - 0.55), y, TEAL if (number + (side > 0)) % 3 else MAGENTA, steel)
        _rack(stage, chance, side, x, y + 1.05, dark, steel)
    for z in (0.25, 3.05, 3.25):
        stage.tube([(x - side * 0.15, -3, z), (x - side * 0.15, END, z)], 0.07, steel)


def _tank(stage, chance, x, y, colour, steel):
    """A cylinder of lit liquid between two steel collars; bubbles rise in it."""

    def shade(nodes):
        z = nodes.height()
        glow = nodes.sum(nodes.span(z, 0.45, 1.1, 1.6, 0.5), nodes.span(z, 1.7, 2.5, 0.0, 0.9))
        murk = nodes.span(nodes.noise(2.2, 4, 0.6, nodes.position((1, 1, 0.5))), 0.3, 0.7, 0.5, 1.3)
        return {'Emission Strength': nodes.times(nodes.times(glow, murk), 1.15)}

    liquid = stage.material(tuple(c * 0.2 for c in colour), 0.05, specular=0.7, glow=colour, shade=shade)
    stage.lathe([(0.34, 0.42), (0.34, 2.5)], 40, liquid, (x, y, 0))
    for low in (0.0, 2.48):
        stage.lathe(
            [
                (0.0, low),
                (0.44, low),
                (0.46, low + 0.06),
                (0.46, low + 0.3),
                (0.42, low + 0.36),
                (0.38, low + 0.44),
                (0.0, low + 0.44),
            ],
            40,
            steel,
            (x, y, 0),
        )
        stage.tube(ring((x, y, low + 0.18), 0.465), 0.012, stage.glowing(colour, 7), closed=True)
    for a in (0.3, 2.4, 4.5):
        px, py = x + 0.39 * math.cos(a), y + 0.39 * math.sin(a)
        stage.tube([(px, py, 0.3), (px, py, 2.6)], 0.022, steel)
    bubble, pale = stage.ball(8, 6), stage.glowing(tuple(0.5 + c / 2 for c in colour), 3.0)
    for _ in range(14):
        a = chance.uniform(0, math.tau)
        stage.place(
            bubble,
            (x + 0.335 * math.cos(a), y + 0.335 * math.sin(a), chance.uniform(0.6, 2.4)),
            scale=(chance.uniform(0.006, 0.02),) * 3,
            coat=pale,
        )
    stage.lamp('POINT', (x * 0.86, y, 1.5), 16, colour, 0.3)


def _rack(stage, chance, side, x, y, dark, steel):
    """A cabinet with rows of small lamps and one screen."""
    stage.box((x + side * 0.05, y, 1.25), (0.7, 1.0, 2.5), dark, bevel=0.02)
    face = x - side * 0.31
    screen = stage.glowing(chance.choice([CYAN, CYAN, MAGENTA]), 0.8, uneven=9)
    stage.box((face, y, 1.75), (0.02, 0.74, 0.42), screen, bevel=0.004)
    lamps = [stage.glowing(colour, 12) for colour in (CYAN, TEAL, MAGENTA, (1, 0.5, 0.1))]
    for row in range(7):
        stage.box((face, y, 0.35 + row * 0.15), (0.03, 0.82, 0.10), steel, bevel=0.008)
        for k in range(9):
            if chance.random() < 0.55:
                stage.box(
                    (face - side * 0.018, y - 0.34 + k * 0.085, 0.35 + row * 0.15),
                    (0.006, 0.018, 0.018),
                    chance.choice(lamps),
                )


def _ceiling(stage, chance, dark, steel):
    stage.box((0, END / 2 - 1, 3.75), (8, END + 6, 0.1), dark)
    for x in (-2.2, -1.9, -1.0, 0.9, 1.3, 2.1):
        stage.tube(
            [(x, -3, 3.45 + chance.uniform(-0.08, 0.08)), (x, END, 3.45)], chance.uniform(0.04, 0.10), steel
        )
    tube = stage.glowing((0.55, 0.85, 1), 5)
    for y in range(1, 15, 3):
        stage.box((0, y, 3.50), (2.6, 0.09, 0.05), steel)
        for x in (-0.55, 0.55):
            stage.box((x, y + 1.2, 3.40), (0.05, 1.5, 0.04), tube)
            stage.lamp('AREA', (x, y + 1.2, 3.36), 12, (0.55, 0.85, 1), 0.2, (x, y + 1.2, 0), height=1.4)
    for _ in range(14):
        y, x = chance.uniform(2, 14), chance.uniform(-2.4, 2.4)
        sag = [(x + t * 0.9, y, 3.6 - 0.5 * 4 * t * (1 - t)) for t in np.linspace(0, 1, 12)]
        stage.tube(sag, 0.018, dark)


def _gate(stage, steel, dark):
    """Concentric rings at the end, the innermost full of light."""
    stage.box((0, END + 0.4, 1.9), (9, 0.2, 4.2), dark)
    core = stage.glowing(MAGENTA, 1.5, uneven=1.4)
    disc = [(1.02 * math.cos(t), 1.02 * math.sin(t)) for t in np.linspace(0, math.tau, 48, endpoint=False)]
    stage.place(stage.mesh([(u, 0, v) for u, v in disc], [tuple(range(48))]), (0, END + 0.2, 1.85), coat=core)
    for radius, thick, coat in (
        (1.12, 0.07, stage.glowing((1, 0.25, 0.6), 9)),
        (1.32, 0.13, steel),
        (1.58, 0.035, stage.glowing(CYAN, 9)),
        (1.75, 0.10, steel),
    ):
        stage.tube(ring((0, END + 0.1, 1.85), radius, 64, upright=True), thick, coat, closed=True)
    for k in range(12):
        a = math.tau * k / 12
        stage.box(
            (1.52 * math.cos(a), END, 1.85 + 1.52 * math.sin(a)),
            (0.34, 0.25, 0.2),
            steel,
            (0, -a, 0),
            bevel=0.03,
        )
    stage.lamp('AREA', (0, END - 0.3, 1.9), 150, (1, 0.18, 0.55), 1.8, (0, 2, 0.8))


def picture(shot: Shot):
    return lens_blur(hazed(shot.colour, shot.depth, 13, 0.24, (0.10, 0.10, 0.17)), shot.depth, LENS)
