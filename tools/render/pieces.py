"""Things that stand in several scenes: floors, curtains, lamps, trees. Each takes the stage."""

import math

import numpy as np


def planks(stage, chance, coat, x, y, width=0.14, z=0.0, longest=1.9):
    """Boards along y over x and y ranges, of uneven length, each a piece of its own."""
    _bed(stage, x, y, z)
    column = x[0]
    while column < x[1]:
        start = y[0] - chance.random()
        while start < y[1]:
            length = chance.uniform(0.5, 1) * longest
            stage.box(
                (column + width / 2, start + length / 2, z - 0.02 + chance.uniform(-0.0008, 0.0008)),
                (width - 0.003, length - 0.004, 0.04),
                coat,
                bevel=0.002,
            )
            start += length
        column += width


def slabs(stage, chance, coat, x, y, side=0.8, z=0.0, gap=0.012, tilt=0.004):
    """Square flags in running bond, a little out of level."""
    _bed(stage, x, y, z)
    for row, start in enumerate(np.arange(y[0], y[1], side)):
        for column in np.arange(x[0], x[1], side):
            at = (column + side / 2 * (row % 2), start, z - 0.05 + chance.uniform(-0.004, 0.004))
            lean = (chance.uniform(-tilt, tilt), chance.uniform(-tilt, tilt), 0)
            stage.box(at, (side - gap, side - gap, 0.1), coat, lean, bevel=0.01)


def _bed(stage, x, y, z):
    """What the gaps between boards or slabs show."""
    middle = ((x[0] + x[1]) / 2, (y[0] + y[1]) / 2, z - 0.06)
    stage.plane(middle, x[1] - x[0], y[1] - y[0] + 2, stage.material((0.01, 0.01, 0.01), 0.9))


def curtain(stage, coat, x, z, y, folds=2.2, depth=0.16, seed=1, gather=None):
    """Hanging cloth from z[1] down to z[0] between x[0] and x[1]; gather = (height, share) ties it to the side
    x[0]."""
    chance = np.random.default_rng(seed)
    wide = abs(x[1] - x[0])
    u, v = np.meshgrid(np.linspace(0, 1, max(int(wide * 60), 60)), np.linspace(0, 1, 70))
    height = z[0] + v * (z[1] - z[0])
    phase = u * wide * folds * math.tau
    for _ in range(5):
        phase = phase + chance.uniform(0.5, 1.3) * np.sin(
            u * wide * chance.uniform(0.3, 1.6) + chance.uniform(0, 6)
        )
    flare = 1.15 - 0.35 * v
    waves = np.sin(phase + 0.35 * np.sin(v * 5 + u * 3)) + 0.25 * np.sin(2.3 * phase + 1 + v * 2)
    place_x = x[0] + u * (x[1] - x[0])
    if gather:
        tie, share = gather
        above = np.exp(-(((height - tie) / ((z[1] - z[0]) * 0.34)) ** 2))
        below = 1 - 0.3 * np.clip((tie - height) / max(tie - z[0], 1e-6), 0, 1) ** 1.5
        pull = np.where(height < tie, below, above)
        place_x = x[0] + (place_x - x[0]) * (1 - (1 - share) * pull)
        flare = flare * (1 - 0.35 * pull)
    return stage.sheet(place_x, y + depth * waves * flare, height, coat)


def bulb_string(stage, bulb, glow, wire, start, end, count, sag, size=0.05, chance=None):
    """A wire from point to point with bulbs hanging from it."""
    line = []
    for k in range(count):
        t = k / (count - 1)
        drop = sag * 4 * t * (1 - t)
        line.append(
            tuple(a + (b - a) * t - (drop if axis == 2 else 0) for axis, (a, b) in enumerate(zip(start, end)))
        )
    for x, y, z in line:
        wobble = chance.uniform(-0.03, 0.03) if chance else 0
        stage.place(bulb, (x + wobble, y, z - 0.07), scale=(size, size, size * 1.25), coat=glow)
    stage.tube(line, 0.007, wire)


def candle_lantern(stage, at, iron, glow, tall=0.5, power=12, colour=(1, 0.52, 0.2)):
    """A square lantern of thin bars with a flame in it, standing at its foot."""
    x, y, z = at
    half = tall * 0.24
    for dx in (-half, half):
        for dy in (-half, half):
            stage.box((x + dx, y + dy, z + tall * 0.42), (0.02, 0.02, tall * 0.8), iron)
    stage.box((x, y, z + 0.015), (half * 2.3, half * 2.3, 0.03), iron, bevel=0.006)
    stage.box((x, y, z + tall * 0.82), (half * 2.3, half * 2.3, 0.03), iron, bevel=0.006)
    stage.lathe(
        [(half * 1.25, 0), (half * 0.4, tall * 0.14), (0.02, tall * 0.18)],
        4,
        iron,
        (x, y, z + tall * 0.83),
        (0, 0, math.pi / 4),
        smooth=False,
    )
    stage.place(stage.ball(12, 8), (x, y, z + tall * 0.36), scale=(0.022, 0.022, 0.05), coat=glow)
    stage.lamp('POINT', (x, y, z + tall * 0.5), power, colour, 0.08)


def ring(centre, radius, count=40, upright=False):
    x, y, z = centre
    angles = [math.tau * k / count for k in range(count)]
    if upright:
        return [(x + radius * math.cos(a), y, z + radius * math.sin(a)) for a in angles]
    return [(x + radius * math.cos(a), y + radius * math.sin(a), z) for a in angles]
