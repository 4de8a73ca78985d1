"""A portrait studio of long ago: a hand-painted canvas, worn boards, light from a tall north window."""

import math

import numpy as np

from camera import Camera
from develop import Grade, Lens, lens_blur
from materials import BRASS, IRON, wood, worn
from pieces import curtain, planks
from shot import Shot

SCENE = {
    'title': 'Vintage portrait studio',
    'tags': (
        'studio, portrait, photographer, vintage, classic, backdrop, canvas, retro, family photo, timeless, '
        'headshot, old photo, victorian'
    ).split(', '),
    'light': {
        'key': 0.22,
        'direction': [-0.66, 0.5, 0.56],
        'color': [1.0, 0.93, 0.82],
        'fill': [0.42, 0.37, 0.33],
    },
    'grade': {'contrast': 0.14, 'vignette': 0.26},
}
SAMPLES = 12
SHARE = 0.6
TRACE = {'bounces': 3, 'clamp': 3.0, 'least': 5}
BAND = 0.22
LENS = Lens(focus=2.6, radius=9, sparkle=0.1, layers=10)
GRADE = Grade(exposure=0.75, contrast=1.34, saturation=1.14, bloom=0.04, vignette=0.42, grain=0.011)


def camera(shape):
    return Camera(eye=(0, -2.8, 1.5), target=(0, 6, 1.6), lens=36)


def build(stage, shape):
    chance = stage.clear(23)
    oak, iron = wood(stage, (0.16, 0.085, 0.045), rough=(0.28, 0.5)), stage.material(IRON, 0.45, 0.8)
    brass = stage.material(BRASS, 0.3, 1.0)
    planks(stage, chance, oak, (-6, 6), (-3.5, 6), 0.17, longest=2.6)
    _canvas(stage, oak)
    wall = worn(stage, (0.20, 0.185, 0.16), 0.6, 0.6, (0.8, 0.95), 0.15)
    stage.box((0, 5.6, 4), (14, 0.2, 8.2), wall)
    stage.box((0, 5.42, 0.12), (14, 0.08, 0.24), oak, bevel=0.02)
    _window(stage, oak)
    _lamp_stand(stage, (2.8, 3.4), iron, brass)
    _pedestal(stage, (2.1, 3.7))
    stage.lamp('AREA', (-3.0, -1.4, 2.9), 620, (1, 0.94, 0.86), 1.8, (0.2, 4, 1.0), height=2.6)
    stage.lamp('AREA', (3.4, -2.4, 2.4), 60, (1, 0.82, 0.64), 2, (0, 4, 1.2))
    stage.sky((0.03, 0.028, 0.026), 0.5)


def _window(stage, oak):
    """The tall window beside the canvas, its panes milky with age, thin linen drawn to one side."""
    left, right, low, high = -4.45, -2.95, 0.75, 4.1
    glass = stage.glowing((0.86, 0.93, 1.0), 1.2)
    middle, wide, tall = (left + right) / 2, right - left, high - low
    stage.box((middle, 5.49, (low + high) / 2), (wide, 0.02, tall), glass)
    for k in range(4):
        stage.box(
            (left + wide * k / 3, 5.44, (low + high) / 2),
            (0.09 if k % 3 == 0 else 0.035, 0.10, tall),
            oak,
            bevel=0.008,
        )
    for k in range(6):
        stage.box(
            (middle, 5.44, low + tall * k / 5),
            (wide + 0.09, 0.10, 0.09 if k % 5 == 0 else 0.035),
            oak,
            bevel=0.008,
        )
    stage.box((middle, 5.36, low - 0.06), (wide + 0.3, 0.26, 0.06), oak, bevel=0.012)
    linen = stage.material((0.62, 0.57, 0.48), 0.9, specular=0.1, **{'Transmission': 0.25})
    curtain(stage, linen, (left - 0.35, left + 0.55), (0.25, 4.5), 5.2, 4.0, 0.05, 5, gather=(1.9, 0.6))
    stage.lamp('AREA', (middle, 5.3, 2.4), 60, (0.82, 0.91, 1.0), 1.4, (0.5, 0, 0.6), height=3.0)


def _canvas(stage, oak):
    """Cloth from a roller, brushed in warm greys, lighter behind the head, and swept out over the floor."""

    def brushed(nodes):
        x, _, z = nodes.along(nodes.position())
        away = nodes.math(
            'SQRT',
            nodes.sum(
                nodes.power(nodes.math('ABSOLUTE', nodes.times(x, 0.55)), 2.0),
                nodes.power(nodes.math('ABSOLUTE', nodes.times(nodes.sum(z, -1.85), 0.62)), 2.0),
            ),
        )
        cloud, stroke = nodes.noise(1.1, 6, 0.6, distortion=1.2), nodes.noise(5, 6, 0.65, distortion=2.4)
        tone = nodes.sum(nodes.span(away, 0.1, 1.5, 0.62, 0.18), nodes.times(nodes.sum(cloud, -0.5), 0.75))
        tone = nodes.sum(tone, nodes.times(nodes.sum(stroke, -0.5), 0.30))
        stops = [
            (0.0, (0.035, 0.028, 0.022)),
            (0.35, (0.115, 0.088, 0.062)),
            (0.7, (0.27, 0.215, 0.155)),
            (1.0, (0.42, 0.35, 0.26)),
        ]
        return {
            'Base Color': nodes.ramp(tone, stops),
            'Normal': nodes.bump(nodes.noise(140, 2, 0.5), 0.15, 0.002),
        }

    cloth = stage.material(roughness=0.92, specular=0.1, shade=brushed)
    half, top, back, radius, front = 2.25, 4.4, 4.9, 0.7, 2.0
    path = [(back, z) for z in np.linspace(top, radius, 30)]
    path += [
        (back - radius + radius * math.cos(t), radius - radius * math.sin(t))
        for t in np.linspace(0, math.pi / 2, 14)[1:]
    ]
    path += [(y, 0.008) for y in np.linspace(back - radius, front, 12)[1:]]
    u, s = np.meshgrid(np.linspace(-1, 1, 60), np.arange(len(path)))
    y, z = np.array(path)[s, 0], np.array(path)[s, 1]
    slack = 0.018 * np.sin(u * 9 + 0.3 * np.sin(z * 2)) * np.clip(z / 2, 0, 1)
    stage.sheet(half * u, y + slack, z, cloth)
    roller = [(-half - 0.25, back + 0.03, top), (half + 0.25, back + 0.03, top)]
    stage.tube(roller, 0.05, oak)
    for side in (-1, 1):
        stage.tube(
            [(side * (half + 0.2), back + 0.06, 0), (side * (half + 0.2), back + 0.06, top)], 0.035, oak
        )


def _lamp_stand(stage, at, iron, brass):
    """An old reflector lamp on a tripod, burning low."""
    x, y = at
    for a in (0.4, 2.5, 4.6):
        stage.tube([(x + 0.42 * math.cos(a), y + 0.42 * math.sin(a), 0), (x, y, 0.95)], 0.018, iron)
    stage.tube([(x, y, 0.9), (x, y, 2.2)], 0.022, brass)
    turn = (math.radians(96), 0, math.radians(-38))
    stage.lathe(
        [(0.05, 0), (0.13, 0.03), (0.23, 0.13), (0.27, 0.26), (0.26, 0.26), (0.21, 0.13)],
        36,
        brass,
        (x, y, 2.3),
        turn,
    )
    stage.place(
        stage.ball(16, 10),
        (x - 0.06, y - 0.10, 2.29),
        scale=(0.075,) * 3,
        coat=stage.glowing((1, 0.60, 0.26), 13),
    )
    stage.lamp('POINT', (x - 0.22, y - 0.3, 2.28), 13, (1, 0.66, 0.36), 0.12)


def _pedestal(stage, at):
    stone = worn(stage, (0.25, 0.22, 0.185), 0.45, 3.0, (0.7, 0.95), 0.4)
    profile = [
        (0.24, 0),
        (0.24, 0.10),
        (0.19, 0.14),
        (0.16, 0.2),
        (0.145, 0.85),
        (0.17, 0.9),
        (0.22, 0.95),
        (0.23, 1.02),
        (0.0, 1.02),
    ]
    stage.lathe(profile, 40, stone, (*at, 0))
    urn = [
        (0.0, 1.02),
        (0.09, 1.03),
        (0.05, 1.10),
        (0.06, 1.14),
        (0.16, 1.30),
        (0.17, 1.40),
        (0.11, 1.50),
        (0.15, 1.56),
        (0.13, 1.56),
        (0.09, 1.50),
    ]
    stage.lathe(urn, 40, stone, (*at, 0))


def picture(shot: Shot):
    return lens_blur(shot.colour, shot.depth, LENS)
