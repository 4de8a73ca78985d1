"""A log cabin in winter: fire on a stone hearth, a lit tree, blue snow light in the window."""

import math

import numpy as np

from camera import Camera
from develop import Grade, Lens, hazed, lens_blur
from materials import IRON, wood, worn
from pieces import bulb_string, planks
from shot import Shot

SCENE = {
    'title': 'Winter cabin',
    'tags': (
        'cabin, winter, fireplace, fire, christmas, xmas, holiday, cosy, cozy, hygge, chalet, lodge, snow, '
        'home, tree, santa'
    ).split(', '),
    'light': {
        'key': 0.16,
        'direction': [-0.6, 0.42, 0.68],
        'color': [1.0, 0.70, 0.42],
        'fill': [0.42, 0.36, 0.38],
    },
    'grade': {'contrast': 0.16, 'vignette': 0.24},
}
SAMPLES = 10
SHARE = 0.56
TRACE = {'bounces': 3, 'clamp': 3.0, 'least': 5}
BAND = 0.24
LENS = Lens(focus=2.5, radius=10, sparkle=0.2)
GRADE = Grade(exposure=0.35, contrast=1.34, saturation=1.14, bloom=0.06, vignette=0.36, grain=0.010)

BACK, HALF = 5.2, 3.7


def camera(shape):
    return Camera(eye=(0, -2.5, 1.5), target=(0, 6, 1.75), lens=30)


def build(stage, shape):
    chance = stage.clear(37)
    log = wood(stage, (0.26, 0.125, 0.055), (0.7, 6, 6), (0.4, 0.6))
    log_y = wood(stage, (0.24, 0.115, 0.05), (6, 0.7, 6), (0.4, 0.6))
    beam, iron = wood(stage, (0.12, 0.058, 0.028), (0.7, 6, 6)), stage.material(IRON, 0.5, 0.8)
    planks(stage, chance, wood(stage, (0.17, 0.08, 0.038)), (-4.5, 4.5), (-3.5, BACK), 0.19, longest=2.8)
    _walls(stage, chance, log, log_y)
    _window(stage, beam)
    _hearth(stage, chance, beam)
    _tree(stage, chance, (2.25, 4.0))
    _rug(stage)
    for y in (0.2, 2.2, 4.2):
        stage.box((0, y, 3.35), (9, 0.26, 0.30), beam, bevel=0.03)
    stage.box((0, 1.5, 3.62), (9, 9, 0.1), log_y)
    bulb, glow = stage.ball(10, 8), stage.glowing((1, 0.46, 0.14), 30)
    for y, sag in ((4.05, 0.22), (2.05, 0.30)):
        for start, end in ((-3.6, 0.0), (0.0, 3.6)):
            bulb_string(stage, bulb, glow, iron, (start, y, 3.2), (end, y, 3.2), 13, sag, 0.022, chance)
    stage.lamp('AREA', (-1.6, -2.4, 2.8), 110, (1, 0.74, 0.48), 1.8, (0, 3, 0.8))
    stage.sky((0.02, 0.016, 0.014), 0.5)


def _walls(stage, chance, log, log_y):
    """Round logs on each other; the back wall leaves room for the window."""
    for row in range(13):
        z = 0.14 + row * 0.27
        open_row = 0.95 < z < 2.45
        for a, b in ((-HALF - 0.3, -0.62), (1.22, HALF + 0.3)) if open_row else ((-HALF - 0.3, HALF + 0.3),):
            stage.lathe(
                [(0.0, a), (0.142, a), (0.142, b), (0.0, b)], 20, log, (0, BACK + 0.1, z), (0, math.pi / 2, 0)
            )
        for side in (-1, 1):
            stage.lathe(
                [(0.0, -4), (0.142, -4), (0.142, BACK + 0.4), (0.0, BACK + 0.4)],
                20,
                log_y,
                (side * (HALF + 0.1), 0, z - 0.13),
                (-math.pi / 2, 0, 0),
            )


def _window(stage, beam):
    """Four panes on a snowy dusk: dark firs, a pale slope."""

    def dusk(nodes):
        x, _, z = nodes.along(nodes.position())
        seen = nodes.ramp(
            nodes.span(z, 1.2, 2.5),
            [(0, (0.80, 0.52, 0.44)), (0.3, (0.46, 0.44, 0.66)), (1, (0.11, 0.19, 0.48))],
        )
        ragged = nodes.times(nodes.noise(14, 4, 0.6, nodes.position((1, 1, 0.6))), 0.16)
        for apart, base, tall, tone in (
            (0.17, 1.42, 0.42, (0.20, 0.22, 0.38)),
            (0.31, 1.24, 0.78, (0.05, 0.075, 0.14)),
        ):
            across = nodes.sum(nodes.times(x, 1 / apart), ragged)
            own, _ = nodes.scatter(nodes.vector(nodes.math('FLOOR', across), 0.0))
            slope = nodes.math('ABSOLUTE', nodes.sum(nodes.math('FRACT', across), -0.5))
            tip = nodes.times(nodes.span(slope, 0, 0.5, 1, -0.1), nodes.span(own, 0, 1, 0.5 * tall, tall))
            fir = nodes.math('LESS_THAN', nodes.sum(z, nodes.times(ragged, -1.0)), nodes.sum(tip, base))
            seen = nodes.blend(fir, seen, tone)
        drift = nodes.sum(nodes.times(nodes.noise(1.3, 3, 0.5, nodes.vector(x, 0.0)), 0.35), 1.12)
        snow = nodes.span(nodes.sum(z, nodes.times(drift, -1.0)), -0.02, 0.02, 1.0, 0.0)
        return {
            'Base Color': (0, 0, 0),
            'Emission': nodes.blend(
                snow, seen, nodes.blend(nodes.noise(3, 4, 0.6), (0.34, 0.42, 0.66), (0.62, 0.62, 0.78))
            ),
            'Emission Strength': 1.0,
        }

    stage.box((0.3, BACK + 0.2, 1.7), (1.9, 0.03, 1.7), stage.material(shade=dusk))
    for x in (-0.60, 0.3, 1.20):
        stage.box((x, BACK - 0.02, 1.7), (0.11 if x != 0.3 else 0.05, 0.20, 1.62), beam, bevel=0.012)
    for z in (0.93, 1.72, 2.48):
        stage.box(
            (0.3, BACK - 0.02, z),
            (1.92, 0.22 if z != 1.72 else 0.16, 0.11 if z != 1.72 else 0.05),
            beam,
            bevel=0.012,
        )
    snow = stage.material((0.8, 0.83, 0.9), 0.8)
    for x in (-0.15, 0.75):
        stage.box((x, BACK + 0.10, 1.02), (0.84, 0.1, 0.10), snow, bevel=0.04, segments=4)
    stage.lamp('AREA', (0.3, BACK - 0.15, 1.7), 26, (0.45, 0.6, 1), 1.5, (0.2, 0, 0.6), height=1.3)


def _hearth(stage, chance, beam):
    """Field stones, each its own, around an opening with a fire of glowing tongues and logs."""
    stone = worn(stage, (0.30, 0.27, 0.235), 0.5, 2.4, (0.6, 0.9), 0.5)
    pebble = stage.ball(14, 10)
    left, right, face = -3.55, -1.45, BACK - 0.45
    stage.box(
        ((left + right) / 2, BACK - 0.12, 1.8),
        (right - left - 0.1, 0.5, 3.6),
        worn(stage, (0.10, 0.09, 0.08), 0.6),
    )
    for row in range(17):
        x = left + chance.uniform(-0.05, 0.05)
        z = 0.1 + row * 0.21
        while x < right:
            wide = chance.uniform(0.20, 0.42)
            middle = x + wide / 2
            if not (0.12 < z < 1.12 and -3.02 < middle < -1.98):
                stage.place(
                    pebble,
                    (middle, face + 0.1 + chance.uniform(-0.03, 0.03), z),
                    (chance.uniform(-0.2, 0.2), chance.uniform(-0.2, 0.2), chance.uniform(-0.3, 0.3)),
                    (wide * 0.56, 0.16, 0.125),
                    stone,
                )
            x += wide
    soot = stage.material((0.012, 0.010, 0.009), 0.9)
    stage.box((-2.5, face + 0.10, 0.62), (1.1, 0.16, 1.1), soot)
    stage.box((-2.5, face - 0.05, 1.32), (2.5, 0.42, 0.14), beam, bevel=0.025)
    stage.box((-2.5, face - 0.25, 0.05), (2.3, 0.7, 0.10), stone, bevel=0.03)
    bark = worn(stage, (0.06, 0.035, 0.02), 0.4, 6)
    for x, turn in ((-2.75, 0.35), (-2.3, -0.4), (-2.5, 0.05)):
        stage.lathe(
            [(0, -0.3), (0.065, -0.3), (0.065, 0.3), (0, 0.3)],
            14,
            bark,
            (x, face - 0.10, 0.20),
            (0, math.pi / 2, turn),
        )
    flame, tongue = stage.glowing((1, 0.28, 0.04), 6), stage.ball(12, 10)
    core = stage.glowing((1, 0.50, 0.12), 14)
    for _ in range(26):
        x, tall = -2.5 + chance.gauss(0, 0.17), chance.uniform(0.10, 0.30)
        tall *= math.exp(-(((x + 2.5) / 0.28) ** 2))
        stage.place(
            tongue,
            (x, face - 0.08 + chance.uniform(-0.08, 0.02), 0.24 + tall * 0.8),
            (0, chance.uniform(-0.25, 0.25), 0),
            (0.035, 0.03, tall),
            core if chance.random() < 0.35 else flame,
        )
    stage.lamp('POINT', (-2.45, face - 0.35, 0.6), 95, (1, 0.42, 0.12), 0.16)
    candle, wick = (
        stage.material((0.8, 0.7, 0.5), 0.5, glow=(1, 0.5, 0.16), strength=0.3),
        stage.glowing((1, 0.5, 0.15), 70),
    )
    for x, tall in ((-3.35, 0.22), (-3.18, 0.14), (-1.75, 0.18), (-1.6, 0.26)):
        stage.lathe([(0, 0), (0.035, 0), (0.034, tall), (0, tall)], 16, candle, (x, face - 0.1, 1.39))
        stage.place(tongue, (x, face - 0.1, 1.39 + tall + 0.035), scale=(0.011, 0.011, 0.03), coat=wick)


def _tree(stage, chance, at):
    """A fir of thousands of needles in drooping tiers, with lamps and glass balls."""
    x, y = at
    numbers = np.random.default_rng(9)
    count = 9000
    height = 2.55 * (1 - np.sqrt(numbers.uniform(0, 1, count)) * 0.97)
    tier = 0.5 + 0.5 * (1 - (height * 3.1) % 1)
    reach = (0.16 + 0.98 * (1 - height / 2.6)) * tier * np.sqrt(numbers.uniform(0.25, 1, count))
    angle = numbers.uniform(0, math.tau, count)
    base = np.stack([x + reach * np.cos(angle), y + reach * np.sin(angle), 0.32 + height - reach * 0.22], -1)
    out = np.stack([np.cos(angle), np.sin(angle), -0.25 + 0 * angle], -1) + numbers.normal(0, 0.5, (count, 3))
    out *= 0.075 / np.linalg.norm(out, axis=1, keepdims=True)
    across = np.cross(out, numbers.normal(0, 1, (count, 3)))
    across *= 0.011 / np.linalg.norm(across, axis=1, keepdims=True)
    corners = np.stack([base - across, base + across, base + out], 1).reshape(-1, 3)
    needles = stage.dense_mesh(corners, np.arange(count * 3).reshape(-1, 3))
    stage.place(needles, coat=stage.material((0.030, 0.085, 0.035), 0.55))
    ball = stage.ball(16, 10)
    lamp, red, gold = (
        stage.glowing((1, 0.52, 0.18), 34),
        stage.material((0.5, 0.012, 0.015), 0.12, 0.6),
        stage.material((0.8, 0.5, 0.15), 0.15, 1.0),
    )
    for k in range(150):
        up = 2.5 * (1 - math.sqrt(chance.random()))
        r, a = (0.16 + 0.98 * (1 - up / 2.6)) * 0.92, chance.uniform(0, math.tau)
        where = (x + r * math.cos(a), y + r * math.sin(a), 0.28 + up - r * 0.22)
        kind = k % 5
        stage.place(
            ball,
            where,
            scale=(0.014,) * 3 if kind < 3 else (0.042,) * 3,
            coat=lamp if kind < 3 else (red if kind == 3 else gold),
        )
    stage.place(ball, (x, y, 2.95), scale=(0.06,) * 3, coat=stage.glowing((1, 0.62, 0.28), 25))
    stage.lamp('POINT', (x - 0.5, y - 0.9, 1.4), 30, (1, 0.6, 0.3), 0.4)
    stage.lathe([(0.07, 0), (0.06, 0.6)], 12, stage.material((0.05, 0.03, 0.02), 0.9), (x, y, 0))
    wrap = [
        (0.30, 0.16, 0.2, (0.32, 0.02, 0.02)),
        (-0.25, 0.12, 0.16, (0.62, 0.5, 0.3)),
        (-0.55, 0.2, 0.14, (0.05, 0.14, 0.08)),
    ]
    for dx, half, tall, tone in wrap:
        stage.box(
            (x + dx, y - 0.95, tall),
            (half * 2, half * 2, tall * 2),
            stage.material(tone, 0.4),
            (0, 0, dx),
            bevel=0.012,
        )
        stage.box((x + dx, y - 0.95, tall), (half * 0.3, half * 2.03, tall * 2.03), gold, (0, 0, dx))


def _rug(stage):
    def pile(nodes):
        x, y, _ = nodes.along(nodes.own())
        wool = nodes.blend(nodes.noise(2.2, 5, 0.6), (0.26, 0.040, 0.032), (0.16, 0.026, 0.022))
        cream = nodes.blend(nodes.noise(9, 4, 0.6), (0.50, 0.43, 0.33), (0.36, 0.30, 0.22))
        cells = [
            nodes.math('ABSOLUTE', nodes.sum(nodes.math('FRACT', nodes.times(axis, 2.0)), -0.5))
            for axis in (x, y)
        ]
        lozenge = nodes.sum(*cells)
        woven = nodes.math('LESS_THAN', nodes.math('ABSOLUTE', nodes.sum(lozenge, -0.36)), 0.05)
        woven = nodes.math('MAXIMUM', woven, nodes.math('LESS_THAN', lozenge, 0.12))
        edges = [
            nodes.sum(half, nodes.times(nodes.math('ABSOLUTE', axis), -1.0))
            for half, axis in ((1.3, x), (1.5, y))
        ]
        edge = nodes.math('MINIMUM', *edges)
        woven = nodes.times(woven, nodes.math('GREATER_THAN', edge, 0.24))
        band = nodes.math('LESS_THAN', nodes.math('ABSOLUTE', nodes.sum(edge, -0.15)), 0.045)
        return {
            'Base Color': nodes.blend(nodes.math('MAXIMUM', woven, band), wool, cream),
            'Normal': nodes.bump(nodes.noise(70, 3, 0.6), 0.8, 0.02),
        }

    stage.box(
        (0, 2.0, 0.012), (2.6, 3.0, 0.03), stage.material(roughness=0.95, shade=pile, Sheen=0.5), bevel=0.012
    )


def picture(shot: Shot):
    return lens_blur(hazed(shot.colour, shot.depth, 12, 0.12, (0.22, 0.12, 0.07)), shot.depth, LENS)
