"""A palace ballroom: mirrored arches, gilt pilasters, crystal chandeliers over a floor of inlaid marble."""

import math

import numpy as np

from camera import Camera
from develop import Grade, Lens, hazed, lens_blur
from materials import GILT, marble, worn
from pieces import ring
from shot import Shot

SCENE = {
    'title': 'Palace ballroom',
    'tags': (
        'ballroom, palace, versailles, chandelier, ball, dance, waltz, princess, prince, royal, elegant, '
        'baroque, luxury, gold, wedding'
    ).split(', '),
    'light': {'direction': [0.0, 0.75, 0.66], 'color': [1.0, 0.84, 0.62], 'fill': [0.62, 0.52, 0.45]},
    'grade': {'contrast': 0.14, 'vignette': 0.2},
}
SAMPLES = 12
SHARE = 0.42
TRACE = {'bounces': 4, 'clamp': 3.0}
BAND = 0.27
LENS = Lens(focus=2.8, radius=8, sparkle=0.25)
GRADE = Grade(
    exposure=0.35,
    balance=(0.97, 1.0, 1.12),
    contrast=1.4,
    saturation=1.12,
    bloom=0.05,
    vignette=0.3,
    grain=0.009,
)

HALF, END, TALL = 4.6, 24.0, 7.2
BAYS = [1.4 + 3.2 * k for k in range(8)]


def camera(shape):
    return Camera(eye=(0, -2.4, 1.55), target=(0, 12, 2.3), lens=33)


def build(stage, shape):
    chance = stage.clear(91)
    gold = stage.material(GILT, 0.28, 1.0)
    cream = worn(stage, (0.66, 0.58, 0.46), 0.8, 0.7, (0.5, 0.7), 0.08)
    _floor(stage, chance)
    for side in (-1, 1):
        _wall(stage, side, cream, gold)
    _end(stage, cream, gold)
    _ceiling(stage, cream, gold)
    for y in (4.6, 10.0, 15.4, 20.8):
        _chandelier(stage, chance, (0, y, 4.1), gold)
    stage.lamp('AREA', (0, -2.6, 4.6), 90, (1, 0.82, 0.6), 3, (0, 4, 0.8))
    stage.sky((0.02, 0.018, 0.016), 0.5)


def _floor(stage, chance):
    """Two marbles laid in diamonds, with a dark border along the walls."""
    pale, dark = (
        marble(stage, (0.52, 0.45, 0.36), (0.30, 0.23, 0.16)),
        marble(stage, (0.10, 0.055, 0.035), (0.25, 0.18, 0.12)),
    )
    side = 0.9
    for row in range(-4, 44):
        for column in range(-9, 10):
            at = ((column + 0.5 * (row % 2)) * side * math.sqrt(2), (row - 4) * side / math.sqrt(2), -0.02)
            if abs(at[0]) < HALF + 0.5:
                stage.box(
                    at,
                    (side - 0.004, side - 0.004, 0.04),
                    pale if row % 2 else dark,
                    (0, 0, math.pi / 4),
                    bevel=0.002,
                )
    for x in (-1, 1):
        stage.box((x * (HALF - 0.2), END / 2, -0.015), (0.5, END + 8, 0.04), dark)


def _wall(stage, side, cream, gold):
    x = side * HALF
    stage.box((x + side * 0.2, END / 2 - 1, TALL / 2), (0.3, END + 6, TALL), cream)
    mirror = stage.material((0.75, 0.74, 0.70), 0.04, 1.0)
    for number, y in enumerate(BAYS):
        _pilaster(stage, x, y - 1.6, side, cream, gold)
        half, spring = 0.95, 3.1
        outline = [(-half, 0.25), (half, 0.25)] + [
            (half * math.cos(t), spring + half * math.sin(t)) for t in np.linspace(0, math.pi, 25)
        ]
        pane = stage.mesh([(0, u, v) for u, v in outline], [tuple(range(len(outline)))])
        stage.place(pane, (x + side * 0.03, y, 0), coat=mirror)
        stage.tube([(x, y + u, v) for u, v in outline], 0.07, gold, closed=True)
        for k in (-0.32, 0.32):
            stage.box((x + side * 0.01, y + k, spring / 2 + 0.3), (0.02, 0.025, spring), gold)
        for k in range(1, 5):
            stage.box((x + side * 0.01, y, k * 0.72), (0.02, half * 2, 0.022), gold)
        _sconce(stage, x - side * 0.14, y - 1.6, gold)
    for z, deep in ((5.3, 0.26), (5.75, 0.4), (0.12, 0.12)):
        stage.box(
            (x - side * deep / 4, END / 2 - 1, z),
            (deep, END + 6, 0.14),
            gold if z == 5.3 else cream,
            bevel=0.03,
        )


def _pilaster(stage, x, y, side, cream, gold):
    stage.box((x - side * 0.02, y, 2.6), (0.22, 0.55, 5.2), cream, bevel=0.02)
    stage.box((x - side * 0.14, y, 2.5), (0.02, 0.34, 3.9), gold, bevel=0.008)
    stage.box((x - side * 0.135, y, 2.5), (0.03, 0.27, 3.75), cream, bevel=0.008)
    for z, wide, tall in ((4.78, 0.62, 0.10), (4.95, 0.70, 0.2), (5.12, 0.78, 0.1), (0.3, 0.66, 0.6)):
        stage.box((x - side * 0.05, y, z), (0.30, wide, tall), gold if z > 1 else cream, bevel=0.03)


def _sconce(stage, x, y, gold):
    flame, drop = stage.glowing((1, 0.56, 0.22), 60), stage.ball(10, 8)
    for k in (-1, 0, 1):
        stage.tube([(x, y, 2.6), (x, y + k * 0.09, 2.56), (x, y + k * 0.17, 2.72)], 0.012, gold)
        stage.place(drop, (x, y + k * 0.17, 2.85), scale=(0.020, 0.020, 0.045), coat=flame)
    stage.lamp('POINT', (x, y, 2.9), 16, (1, 0.62, 0.32), 0.1)


def _end(stage, cream, gold):
    """Three tall windows on the night garden."""
    stage.box((0, END + 0.2, TALL / 2), (HALF * 2 + 1, 0.3, TALL), cream)
    night = stage.glowing((0.12, 0.20, 0.45), 1.4, uneven=0.5)
    for x, half, spring in ((0, 0.9, 3.4), (-2.7, 0.75, 2.9), (2.7, 0.75, 2.9)):
        outline = [(-half, 0.3), (half, 0.3)] + [
            (half * math.cos(t), spring + half * math.sin(t)) for t in np.linspace(0, math.pi, 25)
        ]
        pane = stage.mesh([(u, 0, v) for u, v in outline], [tuple(range(len(outline)))])
        stage.place(pane, (x, END + 0.03, 0), coat=night)
        stage.tube([(x + u, END, v) for u, v in outline], 0.09, gold, closed=True)
        stage.box((x, END, spring / 2 + 0.6), (0.05, 0.05, spring + 0.9), gold)
        for k in range(1, 6):
            stage.box((x, END, k * 0.7), (half * 2, 0.04, 0.03), gold)


def _ceiling(stage, cream, gold):
    """A coved ceiling with gilt ribs, lit from below by the chandeliers."""
    angle, y = np.meshgrid(np.linspace(0, math.pi, 49), np.linspace(-4, END + 0.5, 3))
    stage.sheet(-(HALF + 0.1) * np.cos(angle), y, 5.8 + 1.6 * np.sin(angle), cream)
    for bay in BAYS:
        arc = [
            (-(HALF + 0.05) * math.cos(t), bay - 1.6, 5.8 + 1.54 * math.sin(t))
            for t in np.linspace(0, math.pi, 41)
        ]
        stage.tube(arc, 0.06, gold)
    for share in (0.25, 0.5, 0.75):
        x, z = -(HALF + 0.05) * math.cos(share * math.pi), 5.8 + 1.55 * math.sin(share * math.pi)
        stage.tube([(x, -4, z), (x, END, z)], 0.05, gold)


def _chandelier(stage, chance, at, gold):
    x, y, z = at
    flame, drop, bead = stage.glowing((1, 0.60, 0.27), 60), stage.ball(10, 8), stage.ball(8, 6)
    crystal = stage.material((0.95, 0.93, 0.88), 0.03, 0.0, 1.0, glow=(1, 0.72, 0.42), strength=0.9)
    for radius, level, lights in ((0.95, 0.0, 16), (0.62, 0.42, 10), (0.30, 0.80, 6)):
        stage.tube(ring((x, y, z + level), radius), 0.022, gold, closed=True)
        for k in range(lights):
            a = math.tau * k / lights
            px, py = x + radius * math.cos(a), y + radius * math.sin(a)
            stage.place(drop, (px, py, z + level + 0.14), scale=(0.018, 0.018, 0.042), coat=flame)
            stage.tube([(px, py, z + level), (px, py, z + level + 0.1)], 0.012, gold)
            stage.tube(
                [
                    (px, py, z + level),
                    (x + 0.4 * (px - x), y + 0.4 * (py - y), z + level - 0.10),
                    (x, y, z + level + 0.06),
                ],
                0.010,
                gold,
            )
            for n in range(5):
                stage.place(bead, (px, py, z + level - 0.05 - n * 0.055), scale=(0.016,) * 3, coat=crystal)
            for n in range(1, 8):
                t = n / 8
                b = a + math.tau / lights * t
                stage.place(
                    bead,
                    (
                        x + radius * math.cos(b),
                        y + radius * math.sin(b),
                        z + level - 0.20 * 4 * t * (1 - t) - 0.02,
                    ),
                    scale=(0.014,) * 3,
                    coat=crystal,
                )
    for k in range(8):
        stage.place(bead, (x, y, z - 0.12 - k * 0.05), scale=(0.05 - k * 0.004,) * 3, coat=crystal)
    stage.tube([(x, y, z - 0.1), (x, y, 7.4)], 0.02, gold)
    stage.lamp('POINT', (x, y, z + 0.3), 210, (1, 0.66, 0.36), 0.45)


def picture(shot: Shot):
    return lens_blur(hazed(shot.colour, shot.depth, 30, 0.14, (0.34, 0.26, 0.18)), shot.depth, LENS)
