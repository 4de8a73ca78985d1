"""A garden of cherry trees in bloom in the late light: a pond, a red bridge, petals on the path."""

import math

import numpy as np

import skies
from camera import Camera
from develop import Grade, Lens, hazed, lens_blur
from materials import water, wood, worn
from shot import Shot
from trees import litter, tree

SCENE = {
    'title': 'Cherry garden',
    'tags': (
        'cherry blossom, sakura, garden, spring, japan, kyoto, flowers, pink, romantic, park, bridge, petals, '
        'bloom, picnic'
    ).split(', '),
    'light': {'direction': [-0.5, 0.6, 0.62], 'color': [1.0, 0.90, 0.80], 'fill': [0.66, 0.6, 0.68]},
    'grade': {'contrast': 0.13, 'vignette': 0.18},
}
SAMPLES = 10
TRACE = {'bounces': 2, 'clamp': 3.0, 'least': 5}
BAND = 0.22
LENS = Lens(focus=2.6, radius=17)
GRADE = Grade(exposure=0.1, contrast=1.25, saturation=1.12, bloom=0.06, vignette=0.26, grain=0.009)


def camera(shape):
    return Camera(eye=(0, -2.6, 1.6), target=(0, 12, 2.3), lens=36)


def build(stage, shape):
    stage.clear(113)
    bark = worn(stage, (0.07, 0.05, 0.042), 0.4, 5)
    blossom = [
        stage.material(tone, 0.7, glow=tone, strength=0.10)
        for tone in ((0.86, 0.50, 0.58), (0.90, 0.66, 0.72), (0.74, 0.34, 0.46))
    ]
    _ground(stage)
    for number, (x, y, tall, spread) in enumerate(
        (
            (-3.4, 4.6, 4.6, 2.6),
            (3.7, 5.4, 5.0, 2.8),
            (-5.0, 9.5, 5.4, 3.0),
            (5.2, 11, 5.6, 3.2),
            (-2.6, 15, 5.4, 3.0),
            (3.2, 19, 5.6, 3.0),
            (-7.5, 18, 6, 3.4),
            (8.5, 20, 6, 3.4),
            (0.3, 27, 6, 3.6),
            (-5, 30, 6.5, 3.8),
            (6, 31, 6.5, 3.8),
            (-12, 28, 7, 4),
            (13, 28, 7, 4),
        )
    ):
        tree(
            stage,
            bark,
            blossom,
            (x, y),
            tall,
            spread,
            40 + number,
            6600 if y < 12 else 4200,
            0.055 if y < 12 else 0.085,
            droop=0.08,
        )
    litter(stage, blossom, (-5, 5), (-2, 14), 5200, 0.016, 5)
    _bridge(stage)
    _stone_lanterns(stage)
    _hills(stage)
    stage.lamp('SUN', (0, 0, 10), 2.6, (1, 0.80, 0.58), 0.06, (5, 9, 4.2))
    stage.lamp('AREA', (-3, -3, 4), 90, (1, 0.88, 0.76), 3, (0, 3, 0.5))
    stops = [
        (0.0, (0.92, 0.74, 0.66)),
        (0.12, (0.74, 0.68, 0.76)),
        (0.35, (0.40, 0.52, 0.78)),
        (1.0, (0.22, 0.38, 0.70)),
    ]
    stage.sky(shade=lambda nodes: skies.clouded(nodes, stops, (0.92, 0.80, 0.78), most=0.6), strength=0.75)


def _ground(stage):
    def gravel(nodes):
        stone, drift = nodes.noise(40, 4, 0.7), nodes.noise(0.8, 5, 0.6)
        colour = nodes.blend(stone, (0.42, 0.38, 0.34), (0.20, 0.18, 0.16))
        return {
            'Base Color': nodes.blend(nodes.span(drift, 0.45, 0.7, 0, 0.5), colour, (0.16, 0.14, 0.12)),
            'Normal': nodes.bump(stone, 0.6, 0.02),
        }

    def moss(nodes):
        return {
            'Base Color': nodes.blend(nodes.noise(3, 6, 0.65), (0.10, 0.17, 0.045), (0.045, 0.085, 0.022)),
            'Normal': nodes.bump(nodes.noise(26, 5, 0.7), 0.8, 0.05),
        }

    stage.plane((0, 30, -0.03), 90, 80, stage.material(roughness=0.95, shade=moss))
    stage.plane((0, 3.5, 0.0), 3.4, 13.5, stage.material(roughness=0.9, shade=gravel))
    stage.plane((0, 15.5, -0.02), 40, 9.5, water(stage, (0.02, 0.045, 0.045), 0.8, 0.10))
    edge = worn(stage, (0.24, 0.23, 0.21), 0.5, 3)
    ball = stage.ball(14, 10)
    chance = np.random.default_rng(4)
    for side in (-1, 1):
        for y in np.arange(-2.5, 10, 0.36):
            stage.place(
                ball,
                (side * (1.75 + chance.uniform(-0.05, 0.05)), y, 0.02),
                (0, 0, chance.uniform(0, 3)),
                (0.15, 0.19, 0.11),
                edge,
            )
    for x in np.arange(-14, 14, 0.5):
        stage.place(
            ball,
            (x, 10.7 + chance.uniform(-0.2, 0.2), 0.0),
            (0, 0, chance.uniform(0, 3)),
            (0.34, 0.26, 0.2),
            edge,
        )


def _bridge(stage):
    """A red wooden arch over the pond."""
    red, deck = stage.material((0.48, 0.035, 0.018), 0.45), wood(stage, (0.22, 0.12, 0.07))
    rise = lambda t: 0.25 + 1.0 * math.sin(math.pi * t)  # noqa: E731
    for k in range(33):
        t = k / 32
        stage.box(
            (0, 10.5 + t * 10, rise(t)),
            (2.2, 0.33, 0.07),
            deck,
            (math.atan2(math.pi * math.cos(math.pi * t), 10), 0, 0),
            bevel=0.01,
        )
    for side in (-1, 1):
        for height, thick in ((0.95, 0.06), (0.55, 0.035), (0.0, 0.07)):
            stage.tube(
                [(side * 1.05, 10.5 + t * 10, rise(t) + height) for t in np.linspace(0, 1, 33)], thick, red
            )
        for k in range(9):
            t = k / 8
            stage.box((side * 1.05, 10.5 + t * 10, rise(t) + 0.5), (0.10, 0.10, 1.15), red, bevel=0.02)


def _stone_lanterns(stage):
    stone, glow = worn(stage, (0.27, 0.26, 0.24), 0.5, 3), stage.glowing((1, 0.56, 0.22), 9)
    for x, y in ((-2.3, 6.4), (2.3, 8.2)):
        stage.lathe(
            [(0.24, 0), (0.22, 0.12), (0.10, 0.2), (0.09, 0.75), (0.22, 0.85), (0.22, 0.92)],
            6,
            stone,
            (x, y, 0),
            smooth=False,
        )
        stage.box((x, y, 1.07), (0.22, 0.22, 0.2), glow)
        for dx in (-0.13, 0.13):
            for dy in (-0.13, 0.13):
                stage.box((x + dx, y + dy, 1.07), (0.06, 0.06, 0.3), stone)
        stage.lathe(
            [(0.36, 1.2), (0.30, 1.26), (0.10, 1.42), (0.05, 1.5), (0.07, 1.56), (0, 1.64)],
            6,
            stone,
            (x, y, 0),
            smooth=False,
        )


def _hills(stage):
    from noise import Perlin

    noise = Perlin(8)
    far = worn(stage, (0.10, 0.13, 0.10), 0.6, 0.05)
    for y, rise in ((70, 10), (140, 26)):
        u, v = np.meshgrid(np.linspace(-1, 1, 160), np.linspace(-1, 1, 20))
        stage.sheet(
            u * y,
            y + v * 14,
            -2 + rise * (0.6 + 1.1 * noise.cloud(u * 2.4 + y, v * 0.5, 5)) * (1 - v**2),
            far,
        )


def picture(shot: Shot):
    return lens_blur(
        hazed(shot.colour, np.minimum(shot.depth, 400), 60, 0.42, (0.72, 0.62, 0.62)), shot.depth, LENS
    )
